// `hookline bot rotate-secret`: replaces a secret without refusing requests meanwhile.
import type { BotAuth } from '../../senders/authschema.ts'
import type { BotOnDisk } from '../../bots/disk.ts'
import { triggerTypeOf } from '../../bots/file/triggertypes.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { counted } from '../counted.ts'
import { BOT_NAME, NEEDS_ITS_TURN } from '../shared.ts'
import { print, remark } from '../terminal.ts'
import { CHANGED } from './bot.ts'
import { showSecret } from './lines.ts'

export default verb({
  details: `Puts a new secret first in bot.yaml and prints it once; the previous one stays valid, so that nothing is refused while you enter
the new one at the sender. Once the sender uses it, \`--drop-old\` removes the old ones. An active bot changes at once.

If the sender generates the secret (Stripe, Slack, Sentry, Linear, PagerDuty), create a new one there and pass it with \`--secret -\`. One
kept elsewhere (\`env:NAME\`, \`file:PATH\`) is not touched: store the new one under another name, and pass that:
\`--secret env:NEW_NAME\`.`,
  arguments: [BOT_NAME],
  options: [
    {
      name: 'secret',
      type: 'text',
      value: 'generate|VALUE',
      description: 'the new one (generate); env:NAME, file:PATH or - (stdin)',
    },
    {
      name: 'keep',
      type: 'number',
      value: 'N',
      range: [0, 9],
      description: 'how many old ones stay valid (1)',
    },
    { name: 'dropOld', type: 'flag', description: 'no new secret; only the newest stays valid' },
  ],
  changes: true,
  where: 'either',
  examples: [
    { run: 'hookline bot rotate-secret spark-ori-ghci', shows: 'the new secret, and where to enter it' },
    {
      run: 'hookline bot rotate-secret spark-ori-ghci --drop-old',
      shows: 'the old ones are no longer valid',
    },
  ],
  exits: {
    1: 'no such bot, it has no secret, or the secret is kept elsewhere',
    ...NEEDS_ITS_TURN,
  },
  output: {
    ...CHANGED,
    /** How many old secrets are no longer valid. */
    dropped: 'number',
  },

  needs: async () => ({
    ...(await import('../../bots/disk.ts')),
    ...(await import('../../bots/file/rewrite.ts')),
    ...(await import('../../senders/secret.ts')),
    ...(await import('./running/alone.ts')),
    ...(await import('./running/proof.ts')),
    ...(await import('./running/view.ts')),
    ...(await import('../../senders/setup.ts')),
  }),

  run(context, { name, keep, dropOld = false, secret }, __, needed) {
    const { editBot, generate, invalidBot, isReference, noBot, readBot, setupAt } = needed
    const { shownBot, viewBot, whileAlone } = needed
    return whileAlone(context, () => {
      const view = viewBot(context, name)
      if (!view) return noBot(context, name)
      const disk = readBot(context.home, name)
      if (disk && !disk.settings) return invalidBot(disk)
      const present = authOf(name, disk)
      if (!present.ok) return present
      const auth = present.output
      if (dropOld && (keep !== undefined || secret !== undefined))
        return wrong('usage', '--drop-old takes no other options', `see: hookline bot rotate-secret --help`)

      const isGenerated = !dropOld && (secret ?? 'generate') === 'generate'
      const [current = ''] = auth.secrets
      if (isGenerated && isReference(current)) return keptElsewhere(name, current)
      const made = isGenerated ? generate(auth.type, auth, view.url) : done(secret)
      if (!made.ok) return made
      const add = made.output
      if (add !== undefined && auth.secrets.includes(add))
        return wrong('refused', `${name} already has this secret`, 'use another one')

      const changes = { rotation: { add, most: dropOld ? 1 : 1 + (keep ?? 1) } }
      const rotated = context.running
        ? context.running.bots.edit(name, changes)
        : editBot(context.home, name, changes)
      if (!rotated.ok)
        return wrong(
          'refused',
          `${name} was not changed: ${rotated.reason}`,
          'see: hookline bot rotate-secret --help',
        )
      const shown = isGenerated && add !== undefined ? add : null
      return shownBot(context, name, (bot) => ({
        bot,
        secret: shown,
        setup:
          shown === null
            ? []
            : setupAt(auth.type, { url: bot.url, secret: shown, header: auth.header, preset: bot.preset }),
        dropped: auth.secrets.length + (add === undefined ? 0 : 1) - (bot.auth?.secrets ?? 0),
      }))
    })
  },

  show(rotated) {
    const { bot, dropped } = rotated
    const count = bot.auth?.secrets ?? 0
    print(`${bot.name} has ${counted(count, 'valid secret')}, ${dropped} dropped`)
    showSecret(rotated)
    if (count > 1) remark(`Once the sender uses it: hookline bot rotate-secret ${bot.name} --drop-old`)
  },
})

/** Refused for a bot that has no secret. */
function authOf(name: string, disk: BotOnDisk | undefined): Answer<BotAuth> {
  const type = triggerTypeOf(disk?.settings)
  if (type !== 'webhook') {
    const why = `${name} has no secret, and needs none: its trigger is ${type}`
    return wrong('refused', why, 'see which bots take webhooks: hookline bot list')
  }
  const auth = disk?.settings?.trigger.auth
  if (auth && auth.secrets.length > 0) return done(auth)
  const hint = `give it one: hookline bot edit ${name} --secret generate`
  return wrong('refused', `${name} has no secret`, hint)
}

// Whatever manages the file or variable may restore the old secret: only whoever runs that can change it.
function keptElsewhere(name: string, reference: string) {
  const [kind = ''] = reference.split(':')
  return wrong(
    'refused',
    `the secret of ${name} is kept in ${reference}, which hookline does not change`,
    `store the new one under another name, and give that: hookline bot rotate-secret ${name} --secret ${kind}:NEW`,
  )
}
