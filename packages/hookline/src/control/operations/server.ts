// `hookline server …`
import type { Command, Option } from '../../commands/command.ts'
import { NEEDS_SERVER } from '../../commands/shared.ts'

/** They go before the environment and server.yaml. */
const SETTINGS = [
  {
    name: 'name',
    type: 'text',
    value: 'NAME',
    description: 'name of the server; nicks of its bots begin with it',
  },
  { name: 'host', type: 'text', value: 'HOST', description: 'address for IRC (127.0.0.1)' },
  {
    name: 'port',
    type: 'number',
    value: 'PORT',
    range: [0, 65535],
    description: 'port for IRC (6667); 0: any free port',
  },
  { name: 'webhookHost', type: 'text', value: 'HOST', description: 'address for webhooks (127.0.0.1)' },
  {
    name: 'webhookPort',
    type: 'number',
    value: 'PORT',
    range: [0, 65535],
    description: 'port for webhooks (7680); 0: any free port',
  },
  {
    name: 'config',
    type: 'text',
    value: 'FILE',
    completes: 'files',
    description: 'settings file (server.yaml in the home folder)',
  },
] as const satisfies readonly Option[]

export const serverOperations = [
  {
    name: 'server start',
    summary: 'Start the server',
    details: `Runs in the foreground until SIGTERM or Ctrl-C, then finishes what was accepted and exits 0. Prints one readiness line on
stdout when every listener is bound. Settings come from the flag, then \`HOOKLINE_NAME\`, \`HOOKLINE_HOST\`, \`HOOKLINE_PORT\`,
\`HOOKLINE_WEBHOOK_HOST\` and \`HOOKLINE_WEBHOOK_PORT\`, then \`--config\` or \`server.yaml\` in the home folder, then the default. Every \`bots/*/bot.yaml\` is loaded and becomes active.

On a terminal, it shows channel messages as they are posted.`,
    arguments: [],
    options: [
      ...SETTINGS,
      {
        name: 'detach',
        type: 'flag',
        description: 'run in the background; log to server.log in the home folder',
      },
      {
        name: 'example',
        type: 'flag',
        description:
          'create an example bot if there is no bot, and (in the foreground) show how to post to it',
      },
    ],
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
  },
  {
    name: 'server stop',
    summary: 'Stop the running server',
    details: 'The server stops accepting, finishes what was accepted, and exits. Returns once it has exited.',
    arguments: [],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline server stop', shows: 'the server exits' }],
    exits: NEEDS_SERVER,
  },
  {
    name: 'server status',
    summary: 'Show what the running server listens on and how busy it is',
    details:
      'Exits with 2 when no server is running, for use in scripts. Warns, with what mends it, of everything that is open to strangers: plain text beyond this machine, open registration, bots without a secret, a server that runs as root.',
    arguments: [],
    options: [],
    changes: false,
    where: 'server',
    examples: [
      { run: 'hookline server status --json', shows: 'addresses, pid and counts as one JSON object' },
    ],
    exits: NEEDS_SERVER,
  },
  {
    name: 'server reload',
    summary: 'Read server.yaml and every bot.yaml again',
    details:
      'First the whole configuration is looked at as `server check` does: if the next start would fail with it, nothing changes. Every bot is updated from its files and active then, except those that were stopped or not started yet. A warning names each bot with invalid files, and each setting that cannot change while the server runs, such as a port: it keeps its value until a restart.',
    arguments: [],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline server reload', shows: 'edited files take effect' }],
    exits: { 1: 'server.yaml, or what it names, is wrong; nothing changed', ...NEEDS_SERVER },
  },
  {
    name: 'server check',
    summary: 'Look at the whole configuration as the next start would',
    details: `Reads \`server.yaml\` and looks at everything that it names: certificates and keys, whether they belong together and are valid;
addresses, whether they are free, or the running server's own; the message of the day; the folders, their owner and the room on their disk; the
database; the bots with their handlers and the interpreter. Each problem is printed at its line, with what mends it. Nothing changes, and a
server may run meanwhile. Give it the options that \`server start\` is given. The environment is that of the shell: secrets that only the
server's has are not missed.`,
    arguments: [],
    options: SETTINGS,
    changes: false,
    where: 'files',
    examples: [
      {
        run: 'hookline server check',
        shows: 'what would keep the server from starting, before it is stopped',
      },
      {
        run: 'hookline server check --config new.yaml --json',
        shows: 'the same of another file, as one JSON object',
      },
    ],
    exits: { 1: 'there is a problem', 2: 'the home folder cannot be used' },
  },
  {
    name: 'server trust-clock',
    summary: "Tell the running server that the machine's clock is right",
    details: `The server deletes old records by the time that it has seen pass. When the machine's clock is more than a day ahead of that, the server believes
it only after it has stayed so for an hour of running; a clock that is more than a day behind is never believed, and the time that has passed counts in its
place. \`hookline server status\` and the log say so then. If the clock is right, this makes it count at once. What was stamped with later times, while the
clock was wrong, is pulled back. Look at the clock first (\`date\`): what is too old by it is deleted.`,
    arguments: [],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline server trust-clock', shows: 'the time that counts from now on' }],
    exits: NEEDS_SERVER,
  },
  {
    name: 'server backup',
    summary: 'Back up all persistent data to one file',
    details: `A snapshot of the database, \`server.yaml\`, \`bots/\` and everything else in the home folder, in a tar file that only
you can read. The server keeps running: a separate process makes it. It includes everything acknowledged or seen in the chat before the call.
It appears whole or not at all, and never replaces another file.

Not included: the log, \`trash/\`, and what settings name outside the home folder: certificates, \`file:\` secrets, a \`--config\` file, the environment.
Secrets written in bot.yaml are. Without a running server it works on the files.`,
    arguments: [
      {
        name: 'file',
        description: 'the file to write; it must not exist',
        required: true,
        completes: 'files',
      },
    ],
    options: [],
    changes: false,
    where: 'either',
    examples: [
      {
        run: 'hookline server backup hookline-$(date +%F).tar',
        shows: "today's backup, while the server runs",
      },
    ],
    exits: {
      1: 'the file already exists, or a setting is wrong',
      2: 'it could not be written, or a restore was interrupted',
    },
  },
  {
    name: 'server restore',
    summary: 'Restore a backup',
    details: `Restores into a home folder without data, or with \`--force\` into one that has some, which is moved to \`trash/\` first. The server must not be running.
The backup is unpacked and checked before anything changes: its checksums, its database, whether this version can read it. A database of an older version is
converted when the server starts. After an interrupted restore, no server starts and no backup is made until it is run again.`,
    arguments: [
      { name: 'file', description: 'a file from server backup', required: true, completes: 'files' },
    ],
    options: [
      { name: 'force', type: 'flag', description: 'move what is in the home folder into its trash/ first' },
    ],
    changes: true,
    where: 'files',
    examples: [
      {
        run: 'HOOKLINE_HOME=~/restored hookline server restore hookline-2026-11-21.tar',
        shows: 'the backup in a new home',
      },
    ],
    exits: {
      1: 'the home folder has data, and --force was not given',
      2: 'the file is no complete backup, a server is running, or somebody else is changing the bots',
    },
  },
  {
    name: 'server hash-password',
    summary: 'Hash a password for server.yaml',
    details: `For \`server.password_hash\`, \`opers[].password_hash\` and \`server.webirc[].password_hash\`. The password is prompted for on a terminal, read from
standard input with \`--password -\`, or generated with \`--generate\`; it is never given on the command line, where others could see it. Nothing is
written: put the hash into server.yaml, in quotes; it takes effect at the next \`hookline server reload\`.`,
    arguments: [],
    options: [
      { name: 'password', type: 'text', value: '-', description: 'read it from standard input' },
      { name: 'generate', type: 'flag', description: 'generate a password and show it once' },
    ],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline server hash-password --generate', shows: 'a password and its hash' }],
    exits: { 1: 'no password was given', 2: 'the home folder cannot be used' },
  },
] as const satisfies readonly Command[]
