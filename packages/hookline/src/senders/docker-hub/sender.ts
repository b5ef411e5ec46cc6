// Docker Hub.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'Docker Hub',
    page: 'your repository > Webhooks',
  },
})
