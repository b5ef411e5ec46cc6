// `hookline server reload`
import { done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { inert, print, remark } from '../terminal.ts'

export default verb({
  details:
    'First the whole configuration is looked at as `server check` does: if the next start would fail with it, nothing changes. Every bot is updated from its files and active then, except those that were stopped or not started yet. A warning names each bot with invalid files, and each setting that cannot change while the server runs, such as a port: it keeps its value until a restart.',
  arguments: [],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline server reload', shows: 'edited files take effect' }],
  exits: { 1: 'server.yaml, or what it names, is wrong; nothing changed', ...NEEDS_SERVER },
  output: { warnings: ['text'] },

  /** Invalid settings are refused as a whole; invalid bots are listed in the warnings. */
  async run({ running }) {
    const { warnings, isApplied } = await running.reload()
    if (isApplied) return done({ warnings })
    return wrong(
      'invalid',
      'the settings are invalid; nothing changed',
      'fix them, then reload again',
      warnings,
    )
  },

  show({ warnings }) {
    print('reloaded')
    for (const warning of warnings) remark(`warning: ${inert(warning)}`)
  },
})
