// Opsgenie.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'token',
    name: 'Opsgenie',
    page: 'Settings > Integrations > Add integration > Webhook',
    url: 'Webhook URL',
    secret: 'Custom header Authorization',
    secretAs: (secret) => `Bearer ${secret}`,
  },
})
