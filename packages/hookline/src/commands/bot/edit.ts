// `hookline bot edit`
import { wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_ITS_TURN } from '../shared.ts'
import { print } from '../terminal.ts'
import { CHANGED, NAME, refused, UNKNOWN } from './bot.ts'
import { showSecret, warn } from './lines.ts'
import {
  AUTH,
  AUTH_HEADER,
  CHANNELS,
  FALLBACK,
  PRESET_HELP,
  SECRET_HELP,
  THREAD,
  TRIGGER_EDITS,
} from './options.ts'

export default verb({
  details: `Rewrites bot.yaml, keeping comments and order. \`--no-mention\` and the like remove a field. An active bot changes at once.
\`--on\` and \`--cron\` change its trigger, and remove fields of the previous one.

${SECRET_HELP}`,
  arguments: [NAME],
  options: [
    CHANNELS,
    { name: 'mention', type: 'text', value: 'NICK', clearable: true, description: 'agent to @mention' },
    {
      name: 'template',
      type: 'text',
      value: 'TEXT',
      clearable: true,
      description: 'message with {body.field} tokens, or - (stdin)',
    },
    { name: 'preset', type: 'text', value: 'NAME', clearable: true, description: PRESET_HELP },
    { name: 'description', type: 'text', value: 'TEXT', description: 'what it is for' },
    {
      name: 'dmOwner',
      type: 'flag',
      clearable: true,
      description: 'also send each message to the owner directly',
    },
    FALLBACK,
    { ...THREAD, clearable: true },
    {
      name: 'secret',
      type: 'text',
      value: 'generate|VALUE',
      clearable: true,
      description:
        'replace all secrets at once (bot rotate-secret keeps the old one valid); generate, env:NAME, file:PATH or - (stdin)',
    },
    AUTH,
    AUTH_HEADER,
    ...TRIGGER_EDITS,
  ],
  changes: true,
  where: 'either',
  examples: [
    {
      run: 'hookline bot edit spark-ori-ghci --channels "#builds,#ops"',
      shows: 'it posts to two channels',
    },
    { run: 'hookline bot edit spark-ori-ghci --no-mention', shows: 'it mentions nobody any more' },
  ],
  exits: { 1: `${UNKNOWN}, nothing to change, or a value is wrong`, ...NEEDS_ITS_TURN },
  output: CHANGED,

  needs: async () => ({
    ...(await import('../../bots/disk.ts')),
    ...(await import('../../bots/file/rewrite.ts')),
    ...(await import('./running/alone.ts')),
    ...(await import('./running/proof.ts')),
    ...(await import('./running/triggerinput.ts')),
    ...(await import('./running/unowned.ts')),
    ...(await import('./running/view.ts')),
  }),

  /** On a running server, an active bot joins its new channels at once. */
  async run(context, input, __, needed) {
    const { editBot, noBot, proofFrom, readBot, shownBot, takeTrigger, viewBot, warned, whileAlone } = needed
    const changed = whileAlone(context, () => {
      const taken = takeTrigger(input)
      if (!taken.ok) return taken
      const { trigger, rest } = taken.output
      const { name, secret, auth: type, authHeader: header, ...fields } = rest
      const { running, home } = context
      const view = viewBot(context, name)
      if (!view) return noBot(context, name)
      // The file may have lost what the bot goes by.
      const before =
        readBot(home, name)?.settings?.trigger.auth ?? running?.bots.get(name)?.settings?.trigger.auth
      // Null if it is removed by the same command.
      const { preset = view.preset } = fields
      const proof = proofFrom({ type, header, secret, before, url: view.url, preset })
      if (!proof.ok) return proof
      const changes = { ...fields, ...proof.output.changes, ...(trigger ? { trigger } : {}) }
      if (Object.keys(changes).length === 0) {
        return wrong(
          'usage',
          'there is nothing to change',
          `see: hookline bot edit --help, or edit ${view.file} by hand`,
        )
      }

      const edited = running ? running.bots.edit(name, changes) : editBot(home, name, changes)
      if (!edited.ok) {
        // The refusal may be about something that was broken before.
        const help = view.problems.length > 0 ? `bot validate ${name}` : 'bot edit --help'
        return refused(`${name} was not changed`, edited.reason, `see: hookline ${help}`)
      }
      const { secret: shownOnce, setup } = proof.output
      return shownBot(context, name, (bot) => ({ bot, secret: shownOnce, setup }))
    })
    return await warned(context, changed)
  },

  show(changed) {
    print(`changed ${changed.bot.name}: ${changed.bot.file}`)
    showSecret(changed)
    warn(changed.bot.warnings)
  },
})
