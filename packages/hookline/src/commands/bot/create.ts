// `bot create|start|stop|edit|delete`: on the running server, or (start and stop aside) on the files.
import { join } from 'node:path'
import type { AuthType } from '../../bots/authtypes.ts'
import { createBot as createOnDisk } from '../../bots/create.ts'
import { readBot } from '../../bots/disk.ts'
import { NAME_PATTERN, qualified } from '../../bots/fields.ts'
import { findPreset } from '../../bots/presets.ts'
import { editBot as editOnDisk } from '../../bots/rewrite.ts'
import { removeBot } from '../../bots/trash.ts'
import { done, notRunning, wrong, type Answer } from '../../control/failure.ts'
import type { BotChanged, BotCreated, BotView } from './bot.ts'
import { ensureHome } from '../../home.ts'
import { formatDay } from '../../irc/time.ts'
import type { Context, LiveContext } from '../context.ts'
import { unusable } from '../diskfailure.ts'
import type { Input } from '../oldlist.ts'
import { whileAlone } from './running/alone.ts'
import { tryLine } from './running/curlline.ts'
import { proofFrom } from './running/proof.ts'
import { takeTrigger } from './running/triggerinput.ts'
import { warned } from './running/unowned.ts'
import { noBot, shownBot, urlOf, viewBot } from './running/view.ts'

export async function createBot(context: Context, input: Input<'bot create'>): Promise<Answer<BotCreated>> {
  const taken = takeTrigger(input)
  if (!taken.ok) return taken
  const { trigger, rest: others } = taken.output
  const { name, owner, secret, auth: type, authHeader: header, start, ...rest } = others
  const { running, home } = context
  const full = `${owner}-${name}`
  const serverName = running?.name ?? context.known.serverName
  if (serverName !== undefined && qualified(owner, serverName) !== owner) return foreign(owner, serverName)
  const asked = type ?? suggested(rest.preset, secret)
  const proof = proofFrom({ type: asked, header, secret, url: urlOf(context, full), preset: rest.preset })
  if (!proof.ok) return proof
  if (start && !running) return notRunning(home.folder)

  try {
    ensureHome(home)
  } catch (error) {
    return unusable(home.folder, error)
  }
  const { auth } = proof.output.changes
  const wanted = { ...rest, name, owner, ...(auth ? { auth } : {}), ...(trigger ? { trigger } : {}) }
  const today = formatDay(Date.now())
  const made = whileAlone(context, () => {
    if (viewBot(context, full))
      return wrong('already_exists', `${full} already exists`, `change it: hookline bot edit ${full}`)
    const created = running ? running.bots.create(wanted) : createOnDisk(home, wanted, { today, serverName })
    return created.ok
      ? done(full)
      : refused(`${full} was not created`, created.reason, `see: hookline bot create --help`)
  })
  if (!made.ok) return made
  const { secret: shownOnce, setup } = proof.output
  const started = start ? await running?.bots.start(full) : undefined
  if (started?.ok === false) {
    const where = shownOnce === null ? '' : `its new secret is in ${join(home.bots, full, 'bot.yaml')}; `
    const hint = `${where}fix it, then: hookline bot start ${full}`
    return refused(`${full} was created, but does not start`, started.reason, hint)
  }
  const shown = shownBot(context, full, (bot) => ({
    bot,
    secret: shownOnce,
    setup,
    try: bot.url === null ? null : tryLine(bot, bot.url),
  }))
  return await warned(context, shown)
}

function foreign(owner: string, serverName: string) {
  const whole = qualified(owner.replace(/^@/, ''), serverName)
  const hint =
    NAME_PATTERN.test(whole) && owner !== serverName
      ? `use --owner ${whole}`
      : `add the owner's own name, of letters, digits, _ and -, as in --owner ${serverName}-ori`
  return wrong('invalid', `the owner ${JSON.stringify(owner)} does not begin with the server's name`, hint)
}

export async function startBot(
  context: LiveContext,
  { name }: Input<'bot start'>,
): Promise<Answer<{ bot: BotView }>> {
  if (!viewBot(context, name)) return noBot(context, name)
  const started = await context.running.bots.start(name)
  if (!started.ok)
    return refused(`${name} does not start`, started.reason, `fix it, then: hookline bot start ${name}`)
  return await warned(
    context,
    shownBot(context, name, (bot) => ({ bot })),
  )
}

export async function stopBot(
  context: LiveContext,
  { name }: Input<'bot stop'>,
): Promise<Answer<{ bot: BotView }>> {
  if (!viewBot(context, name)) return noBot(context, name)
  // Refused only for a folder that was made by hand and never started, which counts as stopped.
  await context.running.bots.stop(name)
  return shownBot(context, name, (bot) => ({ bot }))
}

/** On a running server, an active bot joins its new channels at once. */
export async function editBot(context: Context, input: Input<'bot edit'>): Promise<Answer<BotChanged>> {
  return await warned(
    context,
    whileAlone(context, () => change(context, input)),
  )
}

function change(context: Context, input: Input<'bot edit'>): Answer<BotChanged> {
  const taken = takeTrigger(input)
  if (!taken.ok) return taken
  const { trigger, rest } = taken.output
  const { name, secret, auth: type, authHeader: header, ...fields } = rest
  const { running, home } = context
  const before = viewBot(context, name)
  if (!before) return noBot(context, name)
  // The file may have lost what the bot goes by.
  const present =
    readBot(home, name)?.settings?.trigger.auth ?? running?.bots.get(name)?.settings?.trigger.auth
  // Null if it is removed by the same command.
  const { preset = before.preset } = fields
  const asked = type ?? suggested(present ? undefined : preset, secret)
  const proof = proofFrom({ type: asked, header, secret, before: present, url: before.url, preset })
  if (!proof.ok) return proof
  const changes = { ...fields, ...proof.output.changes, ...(trigger ? { trigger } : {}) }
  if (Object.keys(changes).length === 0) {
    return wrong(
      'usage',
      'there is nothing to change',
      `see: hookline bot edit --help, or edit ${before.file} by hand`,
    )
  }

  const changed = running ? running.bots.edit(name, changes) : editOnDisk(home, name, changes)
  if (!changed.ok) {
    // The refusal may be about something that was broken before.
    const help = before.problems.length > 0 ? `bot validate ${name}` : 'bot edit --help'
    return refused(`${name} was not changed`, changed.reason, `see: hookline ${help}`)
  }
  const { secret: shownOnce, setup } = proof.output
  return shownBot(context, name, (bot) => ({ bot, secret: shownOnce, setup }))
}

export function deleteBot(
  context: Context,
  { name }: Input<'bot delete'>,
): Answer<{ name: string; moved_to: string | null }> {
  if (!viewBot(context, name)) return noBot(context, name)
  const { running, home } = context
  const removed = running ? running.bots.remove(name) : removeBot(home, name, Date.now())
  if (!removed.ok)
    return refused(`${name} was not deleted`, removed.reason, `see: hookline bot inspect ${name}`)
  return done({ name, moved_to: removed.trash ?? null })
}

/** The preset's own auth type, or `token`; only if there is a secret. */
function suggested(
  preset: string | null | undefined,
  secret: string | null | undefined,
): AuthType | undefined {
  return preset && secret ? (findPreset(preset)?.auth ?? 'token') : undefined
}

/** A reason with several lines lists problems. */
function refused(message: string, reason: string, hint: string) {
  const [first = '', ...more] = reason.split('\n')
  return wrong('refused', `${message}: ${first}`, hint, more)
}
