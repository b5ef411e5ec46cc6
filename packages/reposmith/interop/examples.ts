// The description's own example of an answer, to fill in what our host leaves out. What our host says stays, and is judged.
import { endpointPattern } from '../test/host.ts'
import type { Description, Json } from './openapi.ts'

export interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** `data` with every key that the example of this answer has beside it. */
export function filledIn(data: unknown, answered: Answered, description: Description): unknown {
  return isObject(data) ? merge(exampleOf(answered, description), data) : data
}

function merge(example: unknown, data: unknown): unknown {
  // Rules and reviewers have a type; each kind has keys of its own.
  if (Array.isArray(data) && Array.isArray(example))
    return data.map((each: unknown) => merge(alike(example, each), each))
  if (!isObject(example) || !isObject(data)) return data
  const ours = Object.entries(data).map(([key, value]) => [key, merge(example[key], value)] as const)
  return { ...example, ...Object.fromEntries(ours) }
}

function alike(examples: readonly unknown[], data: unknown): unknown {
  return examples.find((each) => at(each, 'type') === at(data, 'type'))
}

function exampleOf({ method, path, status }: Answered, { paths, components }: Description): unknown {
  const asked = path.split('?')[0] ?? ''
  const found = Object.entries(paths).find(([template]) => endpointPattern(template).test(asked))?.[1]
  const resolve = (part: unknown): unknown => {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String(at(part, '$ref'))) ?? []
    return kind ? components[kind]?.[name] : part
  }
  const response = resolve(at(found, method.toLowerCase(), 'responses', String(status)))
  const [first] = Object.values(at(response, 'content', 'application/json', 'examples') ?? {})
  return at(resolve(first), 'value')
}

/** The value below these keys; undefined where one of them is not there. */
function at(from: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), from)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
