// The schema of server.yaml, with its defaults.
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { accounts } from './sections/accounts.ts'
import { channels, history, metadata, relaymsg, roleplay } from './sections/chat.ts'
import { limits } from './sections/limits.ts'
import { listeners } from './sections/listeners.ts'
import { opers } from './sections/operators.ts'
import { server } from './sections/server.ts'
import { handlers, webhooks } from './sections/webhooks.ts'

let last: WeakRef<ReturnType<typeof build>> | undefined

/** Built on request, and let go of: a server reads its file once, and should not keep a megabyte for that. */
export function serverSchema() {
  const schema = last?.deref() ?? build()
  last = new WeakRef(schema)
  return schema
}

const build = () =>
  z.strictObject({
    server: server(),
    listeners: listeners(),
    data_dir: z
      .string()
      .refine(isAbsolute, 'must be an absolute path, such as /var/lib/hookline')
      .nullish()
      .describe('database folder, an absolute path; default: data in the home folder'),
    logging: z
      .strictObject({
        level: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('to stderr'),
      })
      .prefault({}),
    limits: limits(),
    opers: opers(),
    channels: channels(),
    webhooks: webhooks(),
    handlers: handlers(),
    accounts: accounts(),
    history: history(),
    metadata: metadata(),
    relaymsg: relaymsg(),
    roleplay: roleplay(),
  })

export type ServerFile = z.output<ReturnType<typeof serverSchema>>
