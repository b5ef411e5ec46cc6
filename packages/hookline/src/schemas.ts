// The JSON Schemas of server.yaml and bot.yaml, for editors. `npm run golden` writes them into schemas/.
import { z } from 'zod'
import { botSchema } from './bots/file/botfile.ts'
import { serverSchema } from './config/schema.ts'

/** Draft 7, which YAML language servers read; keys with a default are optional. */
export function jsonSchemas(): Readonly<Record<'server.schema.json' | 'bot.schema.json', object>> {
  return {
    'server.schema.json': { title: 'Hookline server.yaml', ...draft7(serverSchema()) },
    'bot.schema.json': { title: 'Hookline bot.yaml', ...draft7(botSchema) },
  }
}

function draft7(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
}
