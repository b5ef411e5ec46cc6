// `hookline bot rotate-secret`: replaces a secret without refusing requests meanwhile.
import type { Command } from '../../commands/command.ts'
import { BOT_NAME, NEEDS_ITS_TURN } from '../../commands/shared.ts'

export const secretOperations = [
  {
    name: 'bot rotate-secret',
    summary: 'Replace the secret of a bot; the old one stays valid for a while',
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
  },
] as const satisfies readonly Command[]
