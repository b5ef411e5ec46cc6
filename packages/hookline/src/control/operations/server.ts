// `hookline server …`
import type { Operation } from '../operation.ts'

const NEEDS = { 2: 'no server is running, or it cannot be reached' }

export const serverOperations = [
  {
    name: 'server start',
    summary: 'Start the server',
    details: `Runs in the foreground until SIGTERM or Ctrl-C, then finishes what was accepted and exits 0. One readiness line on
stdout when every listener is bound. Settings come from the flag, then \`HOOKLINE_NAME\`, \`HOOKLINE_HOST\`, \`HOOKLINE_PORT\`,
\`HOOKLINE_WEBHOOK_HOST\` and \`HOOKLINE_WEBHOOK_PORT\`, then \`--config\` or \`server.yaml\` in the home folder, then the default. Every \`bots/*/bot.yaml\` is loaded and becomes active.

On a terminal each line spoken in a channel is shown as it is spoken.`,
    arguments: [],
    options: [
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
        description: 'port for IRC (6667); 0 is any free one',
      },
      { name: 'webhookHost', type: 'text', value: 'HOST', description: 'address for webhooks (127.0.0.1)' },
      {
        name: 'webhookPort',
        type: 'number',
        value: 'PORT',
        range: [0, 65535],
        description: 'port for webhooks (7680); 0 is any free one',
      },
      {
        name: 'config',
        type: 'text',
        value: 'FILE',
        completes: 'files',
        description: 'settings file (server.yaml in the home folder)',
      },
      {
        name: 'detach',
        type: 'flag',
        description: 'run in the background; log to server.log in the home folder',
      },
      {
        name: 'example',
        type: 'flag',
        description: 'make an example bot when there is none, and show how to post to it',
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
    exits: { 1: 'a setting is wrong', 2: 'an address is in use, or a server runs in this home already' },
  },
  {
    name: 'server stop',
    summary: 'Stop the running server',
    details: 'The server stops accepting, finishes what was accepted, and exits. Returns when it is gone.',
    arguments: [],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline server stop', shows: 'the server says goodbye and exits' }],
    exits: NEEDS,
  },
  {
    name: 'server status',
    summary: 'Show what the running server listens on and how busy it is',
    details: 'Exit 2 when no server is running, so that a script can ask.',
    arguments: [],
    options: [],
    changes: false,
    where: 'server',
    examples: [
      { run: 'hookline server status --json', shows: 'addresses, pid and counts as one JSON object' },
    ],
    exits: NEEDS,
  },
  {
    name: 'server reload',
    summary: 'Read server.yaml and every bot.yaml again',
    details:
      'Every bot becomes what its files say and is active then, except those that were stopped or not started yet. A bot with broken files is named in a warning. What cannot change while the server runs, such as a port, is named in a warning and keeps its value until a restart.',
    arguments: [],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline server reload', shows: 'edited files take effect' }],
    exits: { 1: 'server.yaml is wrong; nothing changed', ...NEEDS },
  },
  {
    name: 'server backup',
    summary: 'Write everything that lasts into one file',
    details: `The database as it is at one moment, \`server.yaml\`, \`bots/\` and whatever else lies in the home folder, in a tar file that only
you can read. The server goes on meanwhile: a process of its own makes it. Everything that was acknowledged or seen in the chat before the call is in it.
It appears whole or not at all, and never in place of another file.

Not in it: the log, \`trash/\`, and what settings name outside the home folder: certificates, \`file:\` secrets, a \`--config\` file, the environment.
Secrets that stand in bot.yaml are. Without a running server it works on the files.`,
    arguments: [
      {
        name: 'file',
        description: 'the file to write; it must not be there',
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
        shows: 'a backup of today, while the server runs',
      },
    ],
    exits: { 1: 'the file is there already', 2: 'it could not be written' },
  },
  {
    name: 'server restore',
    summary: 'Bring back what a backup holds',
    details: `Restores into a home folder without data, or with \`--force\` into one that has some, which is moved to \`trash/\` first. The server must not be running.
The backup is unpacked and checked before anything changes: its checksums, its database, whether this version can read it. A database of an older version is
converted when the server starts. Where a restore was cut off in the middle, no server starts until it was run again.`,
    arguments: [
      { name: 'file', description: 'what server backup has written', required: true, completes: 'files' },
    ],
    options: [
      { name: 'force', type: 'flag', description: 'move aside what is in the home folder, into its trash/' },
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
      1: 'the home has data, and --force was not given',
      2: 'the file is no whole backup, or a server is running',
    },
  },
  {
    name: 'server hash-password',
    summary: 'Make the hash of a password, for server.yaml',
    details: `For \`server.password_hash\`, \`opers[].password_hash\` and \`server.webirc[].password_hash\`. The password is asked for on a terminal, read from
standard input with \`--password -\`, or made with \`--generate\`; it does not stand on the command line, where others could see it. Nothing is
written: the line goes into server.yaml in quotes, and counts from the next \`hookline server reload\` on.`,
    arguments: [],
    options: [
      { name: 'password', type: 'text', value: '-', description: 'read it from standard input' },
      { name: 'generate', type: 'flag', description: 'make a password, and show it once' },
    ],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline server hash-password --generate', shows: 'a password and its hash' }],
    exits: { 1: 'there is no password', 2: 'the home folder cannot be used' },
  },
] as const satisfies readonly Operation[]
