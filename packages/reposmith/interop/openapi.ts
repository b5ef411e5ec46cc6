// The host's official description, cut down to the endpoints that our command table names: the whole is 13 MB.
import { readFileSync } from 'node:fs'
import { commands } from '../src/table/commands.ts'

/** The public host, its enterprise cloud, and an enterprise server. */
export type Edition = 'api.github.com' | 'ghec' | 'ghes-3.19'

export type Json = Readonly<Record<string, unknown>>

export interface Description {
  readonly openapi: string
  readonly info: Json
  /** By path, then by method in small letters. */
  readonly paths: Readonly<Record<string, Json>>
  readonly components: Readonly<Record<string, Json>>
}

/** Throws if the description lacks one of our endpoints. */
export function readDescription(edition: Edition): Description {
  const source = new URL(`node_modules/@octokit/openapi/generated/${edition}.json`, import.meta.url)
  const whole = JSON.parse(readFileSync(source, 'utf8')) as Description
  const named = new Map(Object.keys(whole.paths).map((path) => [shapeOf(path), path]))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints()) {
    const [method = '', ours = ''] = endpoint.split(' ')
    const path = named.get(shapeOf(ours)) ?? ours
    const operation = whole.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`${edition} has no ${endpoint}, which src/table names`)
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = operation
  }
  const { openapi, info } = whole
  return { openapi, info, paths, components: componentsOf(paths, whole) }
}

/** Every endpoint of every command: `PUT /repos/{owner}/{repo}/topics`. */
export function endpoints(): readonly string[] {
  return [...new Set(commands.flatMap((command): readonly string[] => command.endpoints))]
}

/** The description may name a segment differently: `{template_owner}`. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}

/** What the operations refer to, and what that refers to. */
function componentsOf(paths: unknown, { components }: Description): Readonly<Record<string, Json>> {
  const kept: Record<string, Record<string, unknown>> = {}
  const waiting: unknown[] = [paths]
  while (waiting.length > 0) {
    const text = JSON.stringify(waiting.pop())
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      if (kept[kind]?.[name] !== undefined) continue
      const component = components[kind]?.[name]
      if (component === undefined) throw new Error(`the description lacks #/components/${kind}/${name}`)
      kept[kind] ??= {}
      kept[kind][name] = component
      waiting.push(component)
    }
  }
  return kept
}
