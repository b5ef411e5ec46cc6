// Netlify.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'Netlify',
    page: 'Project configuration > Notifications > Deploy notifications > HTTP POST request',
  },
})
