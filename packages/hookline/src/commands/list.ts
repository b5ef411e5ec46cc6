// The list of commands, which the unix socket, the command line and its help are made from. A command's file is loaded when it is asked for.
import type { Command, Verb } from './command.ts'

export interface Listed extends Pick<Command, 'name' | 'summary'> {
  readonly load: () => Promise<{ readonly default: Verb }>
}

/** In the order of help. */
export const commands: readonly Listed[] = [
  { name: 'server start', summary: 'Start the server', load: () => import('./server/start.ts') },
  { name: 'server stop', summary: 'Stop the running server', load: () => import('./server/stop.ts') },
  {
    name: 'server status',
    summary: 'Show what the running server listens on and how busy it is',
    load: () => import('./server/status.ts'),
  },
  {
    name: 'server reload',
    summary: 'Read server.yaml and every bot.yaml again',
    load: () => import('./server/reload.ts'),
  },
  {
    name: 'server check',
    summary: 'Look at the whole configuration as the next start would',
    load: () => import('./server/check.ts'),
  },
  {
    name: 'server trust-clock',
    summary: "Tell the running server that the machine's clock is right",
    load: () => import('./server/trustclock.ts'),
  },
  {
    name: 'server backup',
    summary: 'Back up all persistent data to one file',
    load: () => import('./server/backup.ts'),
  },
  { name: 'server restore', summary: 'Restore a backup', load: () => import('./server/restore.ts') },
  {
    name: 'server hash-password',
    summary: 'Hash a password for server.yaml',
    load: () => import('./server/hashpassword.ts'),
  },
  { name: 'bot create', summary: 'Create a bot', load: () => import('./bot/create.ts') },
  { name: 'bot start', summary: 'Start a bot', load: () => import('./bot/start.ts') },
  { name: 'bot stop', summary: 'Stop a bot', load: () => import('./bot/stop.ts') },
  { name: 'bot list', summary: 'List bots', load: () => import('./bot/list.ts') },
  { name: 'bot inspect', summary: 'Show everything about a bot', load: () => import('./bot/inspect.ts') },
  { name: 'bot edit', summary: 'Change fields of a bot', load: () => import('./bot/edit.ts') },
  { name: 'bot delete', summary: 'Delete a bot', load: () => import('./bot/delete.ts') },
  {
    name: 'bot rotate-secret',
    summary: 'Replace the secret of a bot; the old one stays valid for a while',
    load: () => import('./bot/rotatesecret.ts'),
  },
  {
    name: 'bot validate',
    summary: 'Check bot.yaml files and handlers',
    load: () => import('./bot/validate.ts'),
  },
  {
    name: 'bot test',
    summary: 'Show what a bot would say for a payload, without posting it',
    load: () => import('./bot/test.ts'),
  },
  {
    name: 'bot capture',
    summary: 'Save the last payloads a bot received, to test it with them',
    load: () => import('./bot/capture.ts'),
  },
  {
    name: 'bot suggest',
    summary: 'List the tokens that a template of a bot could use',
    load: () => import('./bot/suggest.ts'),
  },
  {
    name: 'bot lint',
    summary: "Check a bot's messages against the payloads it really receives",
    load: () => import('./bot/lint.ts'),
  },
  {
    name: 'bot logs',
    summary: 'Show what a bot received, what it said and what failed',
    load: () => import('./delivery/logs.ts'),
  },
  { name: 'bot deliveries', summary: 'List deliveries', load: () => import('./delivery/list.ts') },
  {
    name: 'bot deliveries show',
    summary: 'Show one delivery in full: payload, headers, outcome',
    load: () => import('./delivery/show.ts'),
  },
  {
    name: 'bot replay',
    summary: 'Run a delivery again, from its recorded body',
    load: () => import('./delivery/replay.ts'),
  },
  {
    name: 'bot retract',
    summary: 'Retract the messages of a delivery',
    load: () => import('./delivery/retract.ts'),
  },
  {
    name: 'bot why',
    summary: 'Show why a message was posted: payload, template, who was woken',
    load: () => import('./delivery/why.ts'),
  },
  {
    name: 'preset list',
    summary: 'List the services with built-in templates',
    load: () => import('./preset/list.ts'),
  },
  { name: 'preset show', summary: 'Show the templates of a preset', load: () => import('./preset/show.ts') },
  {
    name: 'account create',
    summary: 'Create an account for a person or an agent',
    load: () => import('./account/create.ts'),
  },
  {
    name: 'account passwd',
    summary: 'Change the password of an account',
    load: () => import('./account/passwd.ts'),
  },
  { name: 'account list', summary: 'List all accounts', load: () => import('./account/list.ts') },
  {
    name: 'account show',
    summary: 'Show one account with its tokens and certificates',
    load: () => import('./account/show.ts'),
  },
  {
    name: 'account token',
    summary: 'List the tokens of an account',
    load: () => import('./account/tokens.ts'),
  },
  {
    name: 'account token add',
    summary: 'Create a token that logs in to an account',
    load: () => import('./account/addtoken.ts'),
  },
  { name: 'account token revoke', summary: 'Revoke a token', load: () => import('./account/revoketoken.ts') },
  {
    name: 'account suspend',
    summary: 'Suspend an account: nobody can log in or stay logged in',
    load: () => import('./account/suspend.ts'),
  },
  {
    name: 'account restore',
    summary: 'Restore a suspended account',
    load: () => import('./account/restore.ts'),
  },
  { name: 'account drop', summary: 'Delete an account for good', load: () => import('./account/drop.ts') },
  { name: 'ban add', summary: 'Ban an address, a network or a mask', load: () => import('./ban/add.ts') },
  { name: 'ban remove', summary: 'Lift a ban', load: () => import('./ban/remove.ts') },
  { name: 'ban list', summary: 'List bans: who, until when and why', load: () => import('./ban/list.ts') },
  {
    name: 'send',
    summary: 'Say something in a channel or to a person',
    load: () => import('./chat/send.ts'),
  },
  {
    name: 'watch',
    summary: 'Show messages as they are posted, until Ctrl-C',
    load: () => import('./chat/watch.ts'),
  },
  {
    name: 'history',
    summary: 'Show what was said in a channel, newest last',
    load: () => import('./chat/history.ts'),
  },
  { name: 'history erase', summary: 'Erase messages for good', load: () => import('./chat/erase.ts') },
  {
    name: 'learn',
    summary: 'Teach yourself hookline: a page to read or to give to an agent',
    load: () => import('./about/learn.ts'),
  },
  {
    name: 'explain',
    summary: 'Explain a command or a topic, as Markdown',
    load: () => import('./about/explain.ts'),
  },
  {
    name: 'completion',
    summary: 'Print the shell completion script',
    load: () => import('./about/completion.ts'),
  },
]

/** Each command group and its summary, in the order of help. */
export const groups: Readonly<Record<string, string>> = {
  server: 'Start, stop and maintain the server',
  bot: 'Make and run webhook bots',
  account: 'Accounts: names of people and agents, and how they log in',
  ban: 'Ban addresses, networks and masks',
  preset: 'Templates for services that send webhooks',
}

/** Exact match only: `bot create`. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const listed = commands.find((each) => each.name === name)
  return listed && (await loaded(listed))
}

/** Those whose names begin so; all of them. */
export async function loadCommands(group = ''): Promise<Command[]> {
  return Promise.all(commands.filter(({ name }) => name.startsWith(group)).map(loaded))
}

export async function loaded({ name, summary, load }: Listed): Promise<Command> {
  return { name, summary, ...(await load()).default }
}
