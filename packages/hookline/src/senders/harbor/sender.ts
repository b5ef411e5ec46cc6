// Harbor.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'token',
    name: 'Harbor',
    page: 'Projects > your project > Webhooks > New Webhook',
    url: 'Endpoint URL',
    more: [['Payload Format', 'Default']],
    secret: 'Auth Header',
    secretAs: (secret) => `Bearer ${secret}`,
  },
})
