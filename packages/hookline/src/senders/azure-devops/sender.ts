// Azure DevOps.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'basic',
    name: 'Azure DevOps',
    page: 'Project settings > Service hooks > Create subscription > Web Hooks',
    url: 'URL',
    secret: 'Basic authentication username:password',
  },
})
