// Alertmanager.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'token',
    name: 'Alertmanager',
    page: 'alertmanager.yml, a receiver with webhook_configs',
    url: 'url',
    secret: 'http_config.authorization.credentials',
  },
})
