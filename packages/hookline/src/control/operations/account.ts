// `hookline account …`: accounts of people and agents, and their credentials.
import type { Command } from '../../commands/command.ts'
import { NEEDS_SERVER_AND_DISK } from '../../commands/shared.ts'

const NAME = { name: 'name', description: 'the account', required: true } as const
const PASSWORD = {
  name: 'password',
  type: 'text',
  value: '-',
  clearable: true,
  description: 'read it from standard input; --no-password: log in by token or certificate only',
} as const
const GENERATE = {
  name: 'generate',
  type: 'flag',
  description: 'generate a password and show it once',
} as const

export const accountOperations = [
  {
    name: 'account create',
    summary: 'Create an account for a person or an agent',
    details: `The name is a nick, reserved from then on for whoever is logged in to the account. The password is prompted for on a terminal, read from
standard input with \`--password -\`, or generated with \`--generate\`; it is never given on the command line, where others could see it.

For an agent: \`--token LABEL\` creates an account without a password, and a token that logs in. A program logs in with SASL PLAIN: the account name, and
the token or the password.`,
    arguments: [{ name: 'name', description: 'a nick', required: true }],
    options: [
      PASSWORD,
      GENERATE,
      { name: 'token', type: 'text', value: 'LABEL', description: 'also create a token, and show it once' },
      {
        name: 'email',
        type: 'text',
        value: 'ADDRESS',
        description: 'where to reach the owner; no mail is sent',
      },
    ],
    changes: true,
    where: 'server',
    examples: [
      { run: 'hookline account create spark-claude --token laptop', shows: 'a token for an agent' },
      { run: 'hookline account create spark-ori --generate', shows: 'a password for a person' },
    ],
    exits: {
      1: 'the name is taken or not a valid nick, or the password is not accepted',
      ...NEEDS_SERVER_AND_DISK,
    },
  },
  {
    name: 'account passwd',
    summary: 'Change the password of an account',
    details: `Takes it as \`hookline account create\` does. Whoever is logged in stays logged in, and tokens and certificates stay valid: see
\`hookline account token revoke\` and \`hookline account suspend\`.`,
    arguments: [NAME],
    options: [PASSWORD, GENERATE],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account passwd spark-ori --generate', shows: 'the new password' }],
    exits: { 1: 'there is no such account, or the password is not accepted', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account list',
    summary: 'List all accounts',
    details:
      'With `--json`, an array of objects with name, created_at, email, password, settings and suspended.',
    arguments: [],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline account list', shows: 'a table of the accounts' }],
    exits: NEEDS_SERVER_AND_DISK,
  },
  {
    name: 'account show',
    summary: 'Show one account with its tokens and certificates',
    details:
      'For a token, its label and when it was last used; for a certificate, its fingerprint. Neither can be used to log in.',
    arguments: [NAME],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline account show spark-claude', shows: 'its tokens and certificates' }],
    exits: { 1: 'there is no such account', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account token',
    summary: 'List the tokens of an account',
    details: 'With `--json`, an array of objects with label, created_at, used_at and expires_at.',
    arguments: [NAME],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline account token spark-claude', shows: 'a table of its tokens' }],
    exits: { 1: 'there is no such account', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account token add',
    summary: 'Create a token that logs in to an account',
    details: `Create one per program, so that each can be revoked. It is shown once; only a digest is stored. Use it in place of the password: SASL PLAIN,
\`PASS account:token\`, or NickServ IDENTIFY.`,
    arguments: [NAME, { name: 'label', description: 'what it is for, in one word', required: true }],
    options: [
      { name: 'expires', type: 'text', value: 'TIME', description: 'such as 90d or 12h; default: never' },
    ],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account token add spark-claude laptop --expires 90d', shows: 'the token' }],
    exits: { 1: 'no such account, the label is taken, or the time is invalid', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account token revoke',
    summary: 'Revoke a token',
    details: 'It can no longer log in, and connections that logged in with it are closed.',
    arguments: [NAME, { name: 'label', description: 'its label', required: true }],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account token revoke spark-claude laptop', shows: 'it is revoked' }],
    exits: { 1: 'there is no such account or token', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account suspend',
    summary: 'Suspend an account: nobody can log in or stay logged in',
    details:
      'Its connections are closed and every login is refused, by any method, until `--duration` has passed or `hookline account restore`. Suspended again, it keeps its reason unless another is given. The name stays taken.',
    arguments: [NAME],
    options: [
      { name: 'duration', type: 'text', value: 'TIME', description: 'such as 90m or 1d12h; default: no end' },
      {
        name: 'reason',
        type: 'text',
        value: 'TEXT',
        description: 'told to whoever proves to own it',
      },
    ],
    changes: true,
    where: 'server',
    examples: [
      { run: 'hookline account suspend spark-claude --reason "token in a log"', shows: 'it is suspended' },
    ],
    exits: { 1: 'there is no such account, or the time is invalid', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account restore',
    summary: 'Restore a suspended account',
    details: 'Its password, tokens and certificates work again.',
    arguments: [NAME],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account restore spark-claude', shows: 'it is restored' }],
    exits: { 1: 'there is no such account', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'account drop',
    summary: 'Delete an account for good',
    details: `Deletes its tokens and certificates too, and logs out whoever is logged in. It cannot be undone: others may create one of that name and then own the
nick. To keep the name reserved, suspend it.

Channels that it founded are then registered to nobody: hand them over first, with \`/msg ChanServ TRANSFER <#channel> <account>\`. Its bots stay, and what they
tell their owner goes to whoever takes the nick: delete those bots, or suspend the account instead.`,
    arguments: [NAME],
    options: [{ name: 'yes', type: 'flag', description: 'confirm' }],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account drop spark-claude --yes', shows: 'it is deleted' }],
    exits: { 1: 'there is no such account, or --yes is missing', ...NEEDS_SERVER_AND_DISK },
  },
] as const satisfies readonly Command[]
