// `opers` of server.yaml: who may run the server from the chat.
import { z } from 'zod'
import { PRIVILEGES } from '../../chat/rules/oper.ts'
import { oneLine, passwordHash } from '../fields.ts'

export const opers = () =>
  z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[^\s:]\S{0,63}$/, 'must be one word, as given to OPER, at most 64 characters')
          .describe('as given to OPER'),
        password_hash: passwordHash.describe('hash from hookline server hash-password'),
        title: oneLine(100).default('is a server operator').describe('shown by WHOIS'),
        privileges: z.array(z.enum(PRIVILEGES)).default(['all']).describe('what it may do: docs/network.md'),
      }),
    )
    .superRefine((opers, context) => {
      const names = opers.map(({ name }) => name)
      const again = names.findIndex((name, index) => names.indexOf(name) !== index)
      if (again === -1) return
      const message = 'is used twice, and OPER would find only the first: choose another name'
      context.addIssue({ code: 'custom', path: [again, 'name'], message })
    })
    .default([])
    .describe('server operators (OPER)')
