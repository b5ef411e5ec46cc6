// Every setting of server.yaml as a list, from the schema that the package ships.
import { readFileSync } from 'node:fs'

interface Setting {
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Setting>>
  readonly items?: Setting
}

/** A Markdown line for each, with its default. `opers[].name` is a key of each entry of a list. */
export function settingsList(): string {
  const file = new URL('../../schemas/server.schema.json', import.meta.url)
  return linesOf(JSON.parse(readFileSync(file, 'utf8')) as Setting, '').join('\n')
}

function linesOf({ properties = {} }: Setting, path: string): readonly string[] {
  return Object.entries(properties).flatMap(([key, setting]) => {
    const name = `${path}${key}`
    if (setting.properties) return linesOf(setting, `${name}.`)
    return [line(name, setting), ...linesOf(setting.items ?? {}, `${name}[].`)]
  })
}

function line(name: string, setting: Setting): string {
  const choices = setting.enum ?? setting.items?.enum
  const facts = [
    ...(setting.description === undefined ? [] : [setting.description]),
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(setting.default === undefined || setting.items?.properties
      ? []
      : [`default ${JSON.stringify(setting.default)}`]),
  ]
  return `- \`${name}\`${facts.length > 0 ? `: ${facts.join('; ')}` : ''}`
}
