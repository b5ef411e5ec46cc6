// `hookline server start`
import { type InputOf, type Option, verb } from '../command.ts'
import { SETTINGS } from './settings.ts'

const OPTIONS = [
  ...SETTINGS,
  {
    name: 'detach',
    type: 'flag',
    description: 'run in the background; log to server.log in the home folder',
  },
  {
    name: 'example',
    type: 'flag',
    description: 'create an example bot if there is no bot, and (in the foreground) show how to post to it',
  },
] as const satisfies readonly Option[]

export type StartInput = InputOf<readonly [], typeof OPTIONS>

export default verb({
  details: `Runs in the foreground until SIGTERM or Ctrl-C, then finishes what was accepted and exits 0. Prints one readiness line on
stdout when every listener is bound. Settings come from the flag, then \`HOOKLINE_NAME\`, \`HOOKLINE_HOST\`, \`HOOKLINE_PORT\`,
\`HOOKLINE_WEBHOOK_HOST\` and \`HOOKLINE_WEBHOOK_PORT\`, then \`--config\` or \`server.yaml\` in the home folder, then the default. Every \`bots/*/bot.yaml\` is loaded and becomes active.

On a terminal, it shows channel messages as they are posted.`,
  arguments: [],
  options: OPTIONS,
  changes: true,
  where: 'here',
  examples: [
    { run: 'hookline server start --name spark', shows: 'a server called spark on the default ports' },
    {
      run: 'hookline server start --name spark --webhook-port 8080 --detach',
      shows: 'the same in the background',
    },
  ],
  exits: { 1: 'a setting is wrong', 2: 'an address is in use, or a server already runs in this home' },
})
