// Trello.
import { sender } from '../sender.ts'

export default sender({
  setup: {
    with: 'url',
    name: 'Trello',
    page: 'POST /1/webhooks of its API, as callbackURL, with idModel of your board',
  },
})
