// `hookline account …`: accounts of people and agents, and their credentials.
import type { Operation } from '../operation.ts'

const NEEDS = { 2: 'no server is running, or the disk refused it' }
const NAME = { name: 'name', description: 'the account', required: true } as const
const PASSWORD = {
  name: 'password',
  type: 'text',
  value: '-',
  clearable: true,
  description: 'read it from standard input; --no-password: only tokens and certificates log in',
} as const
const GENERATE = { name: 'generate', type: 'flag', description: 'make a password, and show it once' } as const

export const accountOperations = [
  {
    name: 'account create',
    summary: 'Make an account for a person or an agent',
    details: `The name is a nick, and from then on only whoever is logged in to the account may have it. The password is asked for on a terminal, read from
standard input with \`--password -\`, or made with \`--generate\`; it does not stand on the command line, where others could see it.

For an agent: \`--token LABEL\` makes an account without a password and a token that logs in. A program logs in with SASL PLAIN: the name of the account, and
the token or the password.`,
    arguments: [{ name: 'name', description: 'a nick', required: true }],
    options: [
      PASSWORD,
      GENERATE,
      { name: 'token', type: 'text', value: 'LABEL', description: 'make a token too, and show it once' },
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
    exits: { 1: 'the name is taken or is no nick, or the password is not accepted', ...NEEDS },
  },
  {
    name: 'account passwd',
    summary: 'Give an account another password',
    details: `As \`hookline account create\` takes it. Whoever is logged in stays so, and tokens and certificates stay valid: see
\`hookline account token revoke\` and \`hookline account suspend\`.`,
    arguments: [NAME],
    options: [PASSWORD, GENERATE],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account passwd spark-ori --generate', shows: 'the new password' }],
    exits: { 1: 'there is no such account, or the password is not accepted', ...NEEDS },
  },
  {
    name: 'account list',
    summary: 'Show all accounts',
    details:
      'With `--json` an array of objects with name, created_at, email, password, settings and suspended.',
    arguments: [],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline account list', shows: 'a table of the accounts' }],
    exits: NEEDS,
  },
  {
    name: 'account show',
    summary: 'Show one account with its tokens and certificates',
    details:
      'Of a token its label, and when it was last used; of a certificate its fingerprint. Neither can be used by whoever reads it.',
    arguments: [NAME],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline account show spark-claude', shows: 'what logs in to it' }],
    exits: { 1: 'there is no such account', ...NEEDS },
  },
  {
    name: 'account token',
    summary: 'Show the tokens of an account',
    details: 'With `--json` an array of objects with label, created_at, used_at and expires_at.',
    arguments: [NAME],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline account token spark-claude', shows: 'a table of its tokens' }],
    exits: { 1: 'there is no such account', ...NEEDS },
  },
  {
    name: 'account token add',
    summary: 'Make a token that logs in to an account',
    details: `One for each program, so that each can be taken back. It is shown once; only a digest of it is kept. It is used in place of the password: SASL PLAIN,
\`PASS account:token\`, or NickServ IDENTIFY.`,
    arguments: [NAME, { name: 'label', description: 'what it is for: a word', required: true }],
    options: [
      { name: 'expires', type: 'text', value: 'TIME', description: 'such as 90d or 12h; without it never' },
    ],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account token add spark-claude laptop --expires 90d', shows: 'the token' }],
    exits: { 1: 'no such account, the label is taken, or the time is none', ...NEEDS },
  },
  {
    name: 'account token revoke',
    summary: 'Take a token back',
    details: 'It logs in no more. Whoever is logged in by it stays so until they leave.',
    arguments: [NAME, { name: 'label', description: 'of the token', required: true }],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account token revoke spark-claude laptop', shows: 'it is gone' }],
    exits: { 1: 'there is no such account or token', ...NEEDS },
  },
  {
    name: 'account suspend',
    summary: 'Shut an account: nobody can log in to it, or stay logged in',
    details:
      'Its connections are ended and nobody logs in to it, by whatever proves it, until `hookline account restore`. The name stays taken.',
    arguments: [NAME],
    options: [{ name: 'reason', type: 'text', value: 'TEXT', description: 'kept with the account' }],
    changes: true,
    where: 'server',
    examples: [
      { run: 'hookline account suspend spark-claude --reason "token in a log"', shows: 'it is shut' },
    ],
    exits: { 1: 'there is no such account', ...NEEDS },
  },
  {
    name: 'account restore',
    summary: 'Open an account that was suspended',
    details: 'Its password, tokens and certificates log in again.',
    arguments: [NAME],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account restore spark-claude', shows: 'it is open' }],
    exits: { 1: 'there is no such account', ...NEEDS },
  },
  {
    name: 'account drop',
    summary: 'Delete an account for good',
    details: `With its tokens and certificates; whoever is logged in to it is logged out. It cannot be had back: others may make one of that name and then own the
nick. To keep the name from others, suspend it.`,
    arguments: [NAME],
    options: [{ name: 'yes', type: 'flag', description: 'it is meant so' }],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline account drop spark-claude --yes', shows: 'it is gone' }],
    exits: { 1: 'there is no such account, or --yes is missing', ...NEEDS },
  },
] as const satisfies readonly Operation[]
