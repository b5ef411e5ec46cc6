// `bot rotate-secret`: on the running server, or on the files.
import type { BotAuth } from '../../bots/authschema.ts'
import { readBot } from '../../bots/disk.ts'
import { editBot } from '../../bots/rewrite.ts'
import { isReference } from '../../bots/secret.ts'
import { triggerTypeOf } from '../../bots/triggertypes.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import type { SecretRotated } from './bot.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { setupAt } from './vendors.ts'
import { generate } from './running/proof.ts'
import { invalidBot, noBot, shownBot, viewBot } from './running/view.ts'

export function rotateSecret(context: Context, input: Input<'bot rotate-secret'>): Answer<SecretRotated> {
  const { name, keep, dropOld = false, secret } = input
  const view = viewBot(context, name)
  if (!view) return noBot(context, name)
  const present = authOf(context, name)
  if (!present.ok) return present
  const auth = present.output
  if (dropOld && (keep !== undefined || secret !== undefined))
    return wrong('usage', '--drop-old takes no other options', `see: hookline bot rotate-secret --help`)

  const isGenerated = !dropOld && (secret ?? 'generate') === 'generate'
  const made = isGenerated ? generateFor(name, auth, view.url) : done(secret)
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
}

/** Refused for a bot that has no secret. */
function authOf({ home }: Context, name: string): Answer<BotAuth> {
  const disk = readBot(home, name)
  if (disk && !disk.settings) return invalidBot(disk)
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

function generateFor(name: string, auth: BotAuth, url: string | null): Answer<string> {
  const [current = ''] = auth.secrets
  return isReference(current) ? keptElsewhere(name, current) : generate(auth.type, auth, url)
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
