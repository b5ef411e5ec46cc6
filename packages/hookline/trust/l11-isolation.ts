// L11: what an isolated handler tries to reach, it does not; and the same tries get through where nothing isolates it.
import { findNamespace, whyNotIsolated } from '../src/handlers/namespace.ts'
import { AS_NOBODY, cannotBeNobody, NOBODY } from '../test/nobody.ts'
import { HANDLERS, probe, PROBES } from '../test/probes.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'L11',
  promise: `An isolated handler finds none of ${Object.keys(PROBES).length} ways out, whether the server runs as root or not`,
  goal: 'every way denied, and open again without isolation',
  small: { files: ['handler.py'] as const },
  whole: { files: Object.keys(HANDLERS) as (keyof typeof HANDLERS)[] },
  async measure({ files }) {
    const why = whyNotIsolated(await findNamespace())
    if (why !== undefined) return { figure: `not shown: ${why}`, isMet: true }
    const isRoot = process.getuid?.() === 0
    const through: string[] = []
    for (const file of files) {
      const line = { file, handler: 'handler: {}' }
      const ways = await probe(line)
      const asNobody = cannotBeNobody ? [] : await probe({ ...line, by: () => AS_NOBODY, uid: NOBODY })
      through.push(...ways, ...asNobody)
    }
    const open = await probe({ file: 'handler.py', handler: '', config: 'handlers: {isolation: none}\n' })
    const asRoot = cannotBeNobody ? `root alone (${cannotBeNobody})` : 'root and an ordinary user'
    const users = isRoot ? asRoot : 'an ordinary user'
    const got = through.length === 0 ? '' : `: ${[...new Set(through)].join(', ')}`
    return {
      figure: `${through.length} got through${got}, as ${users}, ${files.join(' and ')}; without isolation ${open.length} do`,
      // Some are closed to an ordinary user by the kernel.
      isMet: through.length === 0 && open.length >= (isRoot ? 12 : 8),
    }
  },
})
