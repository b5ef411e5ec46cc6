// Zabbix.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'token',
    name: 'Zabbix',
    page: 'Alerts > Media types > Create media type > Webhook; its script posts its parameters as JSON',
    url: 'the URL in the script',
    secret: 'the header Authorization in the script',
    secretAs: (secret) => `Bearer ${secret}`,
  },
})
