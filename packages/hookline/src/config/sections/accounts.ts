// `accounts` of server.yaml.
import { z } from 'zod'
import { DEFAULT_COST } from '../../accounts/passwords.ts'
import { MECHANISMS } from '../../accounts/sasl.ts'
import { count, whole } from '../fields.ts'

export const accounts = () =>
  z
    .strictObject({
      sasl_mechanisms: z
        .array(z.enum(MECHANISMS))
        .default([...MECHANISMS])
        .describe('SASL mechanisms offered; if empty, no sasl capability. EXTERNAL needs a certificate'),
      password_cost: whole(4, 20, DEFAULT_COST).describe(
        'memory of a password hash: 2 to this power KiB; less than 14 is for tests',
      ),
      nick_protection: z
        .boolean()
        .default(true)
        .describe("an account's nick is only for whoever is logged in to it"),
      required: z.boolean().default(false).describe('nobody may connect without an account'),
      failures_per_minute: count(3, 1_000).describe(
        'failed logins, for one account from one address; as many OPER, for one name',
      ),
      failures_per_hour: count(10, 100_000).describe(
        'the same from all addresses together that nobody has logged in to it from; the pauses between them grow. Tokens and certificates are accepted meanwhile',
      ),
      failures_per_address: count(30, 100_000).describe('for all accounts together; loopback is exempt'),
      registration: z
        .strictObject({
          enabled: z.boolean().default(true).describe('anybody may create an account (REGISTER, NickServ)'),
          before_connect: z.boolean().default(false).describe('also before the connection is registered'),
          email_required: z
            .boolean()
            .default(false)
            .describe('only with an email address; nothing is sent to it'),
          other_names: z.boolean().default(false).describe('the account name may differ from the nick'),
          password_length: z
            .int()
            .min(1)
            .max(300)
            .optional()
            .describe('minimum length of a new password; when absent 10, or 3 with a password_cost below 8'),
          per_hour: count(10, 100_000).describe('new accounts from one address; loopback is exempt'),
        })
        .prefault({}),
      multiclient: z
        .boolean()
        .default(true)
        .describe('connections logged in to one account may share one user, unless its owner says otherwise'),
      always_on: z
        .enum(['disabled', 'opt_in', 'opt_out', 'mandatory'])
        .default('opt_in')
        .describe('whether users stay in their channels while disconnected'),
    })
    .prefault({})
