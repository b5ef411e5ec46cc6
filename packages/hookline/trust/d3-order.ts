// D3: what "answered only once it is on disk" comes to, in the order of the system calls.
import { cannotTrace } from '../test/strace.ts'
import { answeredTooEarly } from '../test/syncorder.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'D3',
  promise: 'No webhook is answered before its delivery is on disk (fsync)',
  goal: '0 of 1,000 answers precede their fsync',
  small: { posts: 160 },
  whole: { posts: 1_000 },
  async measure({ posts }) {
    if (cannotTrace) return { figure: `not shown: ${cannotTrace}`, isMet: true }
    const early = await answeredTooEarly(posts)
    return { figure: `${early.length} of ${posts}`, isMet: early.length === 0 }
  },
})
