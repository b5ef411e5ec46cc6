// Discord.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'whatever posts to Discord',
    page: 'in place of the address of a Discord webhook',
  },
})
