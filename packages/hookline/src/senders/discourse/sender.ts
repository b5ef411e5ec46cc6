// Discourse, for which there is no preset.
import { sender } from '../sender.ts'

export default sender({ event: { header: 'x-discourse-event' } })
