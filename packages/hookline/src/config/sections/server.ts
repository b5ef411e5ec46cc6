// `server` of server.yaml: its name and its rules for everybody.
import { z } from 'zod'
import { isIcon } from '../../irc/isupport.ts'
import { isUserMode } from '../../irc/modes.ts'
import { hostName, modes, name, network, oneLine, passwordHash, whole } from '../fields.ts'

export const server = () =>
  z
    .strictObject({
      name: name
        .optional()
        .describe("the server's name; unless it has a dot, its bots' names begin with it. Default: local"),
      network: oneLine(64).min(1).optional().describe('NETWORK in 005 and the welcome; default: the name'),
      icon: z
        .url('must be the URL of a picture, such as https://example.org/icon.svg')
        .max(200)
        .refine(
          isIcon,
          'does not fit in a line of the chat, where each = takes four bytes: use a shorter URL',
        )
        .nullish()
        .describe('URL of a picture, https if possible: draft/ICON in 005'),
      description: oneLine(200).default('Hookline chat server').describe('shown by WHOIS, LINKS and ADMIN'),
      admin_location: oneLine(200).default('not told').describe('second line of ADMIN'),
      admin_email: oneLine(200).default('not told').describe('third line of ADMIN'),
      password_hash: passwordHash
        .nullish()
        .describe('connection password (PASS): hash from hookline server hash-password; none when absent'),
      motd_file: z
        .string()
        .nullish()
        .describe('text file shown to everybody who connects; relative to the folder of server.yaml'),
      casemapping: z
        .enum(['ascii', 'precis'])
        .default('ascii')
        .describe('precis: nicks in any script, and no look-alikes; choose it before the first start'),
      default_user_modes: modes((letter) => isUserMode(letter) && letter !== 'o')
        .default('')
        .describe('modes of every new user, such as "+i"'),
      trusted_proxies: z
        .array(network)
        .default([])
        .describe(
          'proxies trusted to state the client address: PROXY header (version 1 or 2) on listeners without tls, X-Forwarded-For on those with websocket',
        ),
      cloak: z
        .strictObject({
          enabled: z.boolean().default(false).describe('others see a keyed hash in place of an address'),
          suffix: z
            .string()
            .regex(
              /^[A-Za-z0-9]([A-Za-z0-9.-]{0,18}[A-Za-z0-9])?$/,
              'must be letters, digits, dots and hyphens, at most 20',
            )
            .default('cloak')
            .describe('what every cloak ends with'),
          ipv4: prefixes(32)
            .default([32, 24, 16])
            .describe('prefix length that each part of an IPv4 cloak stands for, the smallest network first'),
          ipv6: prefixes(128).default([64, 48, 32]).describe('the same for IPv6'),
          accounts: z
            .boolean()
            .default(false)
            .describe('users logged in when they connect are seen as <account>.account.<suffix>'),
        })
        .prefault({}),
      webirc: z
        .array(
          z.strictObject({
            password_hash: passwordHash.describe('hash from hookline server hash-password'),
            hosts: z.array(network).min(1).describe('addresses and networks it connects from'),
          }),
        )
        .default([])
        .describe('web gateways trusted to state the client address (WEBIRC)'),
      sts: z
        .strictObject({
          port: z.int().min(1).max(65_535).describe('port of the listener with tls'),
          duration_days: whole(0, 3_650, 0).describe(
            'how long clients remember it after disconnecting; 0 makes them forget',
          ),
          preload: z.boolean().default(false).describe('STS preload lists may include this server'),
          hosts: z
            .array(hostName)
            .default([])
            .describe('server names it applies to; when empty, every name that a client asks for'),
        })
        .optional()
        .describe(
          'strict transport security: clients that support it reconnect over TLS only; off when absent',
        ),
      websocket_origins: z
        .array(
          z
            .string()
            .regex(
              /^(https?:\/\/[^/\s]+|\*)$/,
              'must look like https://chat.example.org, without a path; * allows every page',
            ),
        )
        .default([])
        .describe(
          'origins that may connect to listeners with websocket, besides localhost; * stands for any part',
        ),
    })
    .prefault({})

const prefixes = (bits: number) =>
  z
    .array(z.int().min(1).max(bits))
    .min(1)
    .max(4)
    .refine(
      (all) => all.every((each, i) => i === 0 || each < (all[i - 1] ?? 0)),
      'must go from the longest to the shortest',
    )
