// `hookline ban …`: who may not connect.
import type { Operation } from '../../commands/command.ts'
import { NEEDS_SERVER_AND_DISK } from '../../commands/shared.ts'

export const banOperations = [
  {
    name: 'ban add',
    summary: 'Ban an address, a network or a mask',
    details: `Takes effect at once: whoever the ban matches is disconnected, and cannot connect again until it is lifted or
expires. It survives restarts. Server operators with the privilege \`ban\` do the same from their client: \`/quote UBAN ADD …\`.

A target is an address (\`192.0.2.7\`), a network (\`192.0.2.0/24\`, \`2001:db8::/64\`) or a mask (\`*!*@*.example.org\`). For IPv6, ban
networks: one subscriber usually has a /64. A network that contains 127.0.0.0/8 or ::1 is refused: bots, proxies and you connect from there.

With \`--require-sasl\` the ban matches only users who are not logged in to an account.`,
    arguments: [{ name: 'target', description: 'an address, a network or a mask', required: true }],
    options: [
      {
        name: 'duration',
        type: 'text',
        value: 'TIME',
        description: 'such as 90m or 1d12h; default: permanent',
      },
      { name: 'reason', type: 'text', value: 'TEXT', description: 'shown to those who are banned' },
      { name: 'requireSasl', type: 'flag', description: 'users logged in to an account may still connect' },
    ],
    changes: true,
    where: 'server',
    examples: [
      {
        run: 'hookline ban add 192.0.2.0/24 --duration 1d --reason "spam from your network"',
        shows: 'what is banned, until when, and how many were disconnected',
      },
    ],
    exits: { 1: 'the target or the time is not valid, or may not be banned', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'ban remove',
    summary: 'Lift a ban',
    details: 'The target as `hookline ban list` shows it, or in an equivalent form.',
    arguments: [{ name: 'target', description: 'an address, a network or a mask', required: true }],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline ban remove 192.0.2.0/24', shows: 'they may connect again' }],
    exits: { 1: 'there is no such ban', ...NEEDS_SERVER_AND_DISK },
  },
  {
    name: 'ban list',
    summary: 'List bans: who, until when and why',
    details:
      'With `--json`, an array of objects with target, until (null: permanent), require_sasl, by, at and reason.',
    arguments: [],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline ban list', shows: 'a table of the bans' }],
    exits: NEEDS_SERVER_AND_DISK,
  },
] as const satisfies readonly Operation[]
