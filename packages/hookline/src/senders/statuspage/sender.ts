// Statuspage.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'the status page',
    page: 'Subscribe to updates > Webhook',
  },
})
