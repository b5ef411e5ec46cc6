// Uptime Kuma.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'token',
    name: 'Uptime Kuma',
    page: 'Settings > Notifications > Setup Notification > Webhook',
    url: 'Post URL',
    more: [['Request Body', 'application/json']],
    secret: 'Additional Headers',
    secretAs: (secret) => JSON.stringify({ Authorization: `Bearer ${secret}` }),
  },
})
