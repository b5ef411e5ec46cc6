// Jenkins.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'Jenkins',
    page: 'your job > Configure > Job Notifications',
  },
})
