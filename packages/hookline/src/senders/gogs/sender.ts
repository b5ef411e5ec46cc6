// Gogs.
import { sender } from '../sender.ts'

export default sender({
  event: { header: 'x-gogs-event', also: 'github' },
  setup: {
    with: 'url',
    name: 'Gogs',
    page: 'Settings > Webhooks > Add a new webhook > Gogs',
  },
})
