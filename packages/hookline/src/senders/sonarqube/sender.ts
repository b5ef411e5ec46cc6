// SonarQube.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'SonarQube',
    page: 'Project Settings > Webhooks > Create',
  },
})
