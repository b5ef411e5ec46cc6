// `hookline bot create`
import { join } from 'node:path'
import type * as Fields from '../../bots/file/fields.ts'
import { done, notRunning, wrong } from '../../control/failure.ts'
import { ensureHome } from '../../home/home.ts'
import { formatDay } from '../../irc/time.ts'
import { verb } from '../command.ts'
import { unusable } from '../diskfailure.ts'
import { print, remark } from '../terminal.ts'
import { type BotView, CHANGED, refused } from './bot.ts'
import { showSecret, warn } from './lines.ts'
import {
  AUTH,
  AUTH_HEADER,
  CHANNELS,
  FALLBACK,
  PRESET_HELP,
  SECRET_HELP,
  THREAD,
  TRIGGER_OPTIONS,
} from './options.ts'

export default verb({
  details: `Writes \`bots/<owner>-<name>/bot.yaml\`. The bot exists but is not active (its URL answers 503) until \`bot start\`, \`--start\`
or the next start of the server. An existing bot is never overwritten. The owner is a nick prefixed with the server's name:
\`spark-ori\` on the server \`spark\`. On a terminal, missing values are prompted for.

${SECRET_HELP}`,
  arguments: [{ name: 'name', description: 'short name; the bot is called <owner>-<name>', required: true }],
  options: [
    {
      name: 'owner',
      type: 'text',
      value: 'NICK',
      required: true,
      description: "its owner, prefixed with the server's name: spark-ori",
    },
    CHANNELS,
    { name: 'mention', type: 'text', value: 'NICK', description: 'agent to @mention, which wakes it' },
    {
      name: 'template',
      type: 'text',
      value: 'TEXT',
      description: 'message with {body.field} tokens, or - (stdin); default: the payload',
    },
    { name: 'preset', type: 'text', value: 'NAME', description: PRESET_HELP },
    { name: 'description', type: 'text', value: 'TEXT', description: 'what it is for' },
    { name: 'dmOwner', type: 'flag', description: 'also send each message to the owner directly' },
    FALLBACK,
    THREAD,
    {
      name: 'secret',
      type: 'text',
      value: 'generate|VALUE',
      description: 'accept authenticated requests only; generate, env:NAME, file:PATH or - (stdin)',
    },
    AUTH,
    AUTH_HEADER,
    ...TRIGGER_OPTIONS,
    { name: 'start', type: 'flag', description: 'start it at once (needs a running server)' },
  ],
  changes: true,
  where: 'either',
  examples: [
    {
      run: `hookline bot create ghci --owner spark-ori --channels "#builds" --template "{body.workflow}: {body.conclusion}" --secret generate`,
      shows: 'a bot for GitHub that posts to #builds, and its secret',
    },
    {
      run: 'hookline bot create notes --owner spark-ori --channels "#a,#b" --start',
      shows: 'one that is active at once',
    },
    {
      run: 'hookline bot create feed --owner spark-ori --channels "#news" --preset slack --secret generate',
      shows: 'one for anything that can post to Slack',
    },
    {
      run: `hookline bot create greet --owner spark-ori --channels "#lobby" --on join --template "welcome, {nick}"`,
      shows: 'one that reacts to the chat; see: hookline explain triggers',
    },
    {
      run: `hookline bot create standup --owner spark-ori --channels "#team" --cron "0 9 * * 1-5" --timezone Europe/Berlin --template "stand-up!"`,
      shows: 'one that posts on a schedule',
    },
  ],
  exits: {
    1: 'a value is missing or wrong, or the bot exists',
    2: '--start and no server is running, the file cannot be written, or somebody else is changing the bots',
  },
  output: {
    ...CHANGED,
    /** A command line that posts a sample to it, with SECRET in place of the secret; null if it has no URL. */
    try: 'text or null',
  },

  needs: async () => ({
    createOnDisk: (await import('../../bots/file/create.ts')).createBot,
    fields: await import('../../bots/file/fields.ts'),
    ...(await import('./running/alone.ts')),
    ...(await import('./running/curlline.ts')),
    ...(await import('./running/proof.ts')),
    ...(await import('./running/triggerinput.ts')),
    ...(await import('./running/unowned.ts')),
    ...(await import('./running/view.ts')),
  }),

  async run(context, input, __, needed) {
    const { createOnDisk, fields, proofFrom, shownBot, takeTrigger, tryLine, urlOf } = needed
    const { viewBot, warned, whileAlone } = needed
    const taken = takeTrigger(input)
    if (!taken.ok) return taken
    const { trigger, rest: others } = taken.output
    const { name, owner, secret, auth: type, authHeader: header, start, ...rest } = others
    const { running, home } = context
    const full = `${owner}-${name}`
    const serverName = running?.name ?? context.known.serverName
    if (serverName !== undefined && fields.qualified(owner, serverName) !== owner)
      return foreign(owner, serverName, fields)
    const proof = proofFrom({ type, header, secret, url: urlOf(context, full), preset: rest.preset })
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
      const created = running
        ? running.bots.create(wanted)
        : createOnDisk(home, wanted, { today, serverName })
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
  },

  show(made) {
    print(`created ${made.bot.name}: ${made.bot.file}`)
    showSecret(made)
    warn(made.bot.warnings)
    remark(nextSteps(made))
  },
})

function foreign(owner: string, serverName: string, { NAME_PATTERN, qualified }: typeof Fields) {
  const whole = qualified(owner.replace(/^@/, ''), serverName)
  const hint =
    NAME_PATTERN.test(whole) && owner !== serverName
      ? `use --owner ${whole}`
      : `add the owner's own name, of letters, digits, _ and -, as in --owner ${serverName}-ori`
  return wrong('invalid', `the owner ${JSON.stringify(owner)} does not begin with the server's name`, hint)
}

/** What to do now: start it, then try it. */
function nextSteps({ bot, try: line }: { readonly bot: BotView; readonly try: string | null }): string {
  const unproven =
    bot.preset !== null && bot.auth === null && bot.trigger === 'webhook'
      ? [
          `Anybody who can reach the URL may post. To change that: hookline bot edit ${bot.name} --secret generate`,
        ]
      : []
  const samples =
    bot.preset === null ? [] : [`Preview its message: hookline bot test ${bot.name} --fixture ${bot.preset}`]
  const state = stateOf(bot)
  if (line === null || bot.status === 'invalid') return [...unproven, ...samples, state].join('\n')
  const lines = bot.status === 'active' ? [`${state} Try it:`] : [state, 'Try it:']
  return [...unproven, ...samples, ...lines, `  ${line}`].join('\n')
}

function stateOf({ name, status }: BotView): string {
  switch (status) {
    case 'active':
      return 'It is active.'
    case 'inactive':
      return `Start it: hookline bot start ${name}`
    case 'invalid':
      return `It cannot start yet; to see why: hookline bot inspect ${name}`
    case 'not running':
      return 'It becomes active when you start the server: hookline server start'
  }
}
