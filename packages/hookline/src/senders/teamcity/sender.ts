// TeamCity.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'TeamCity',
    page: 'the parameters teamcity.internal.webhooks.enable, .url and .events of your project',
  },
})
