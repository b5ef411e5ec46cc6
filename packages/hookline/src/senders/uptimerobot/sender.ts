// UptimeRobot.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'UptimeRobot',
    page: 'Integrations & API > Webhook; Send as JSON',
  },
})
