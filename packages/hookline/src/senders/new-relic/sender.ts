// New Relic.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'token',
    name: 'New Relic',
    page: 'Alerts > Destinations > Webhook',
    url: 'Endpoint URL',
    more: [['Authentication', 'Bearer token']],
    secret: 'Token',
  },
})
