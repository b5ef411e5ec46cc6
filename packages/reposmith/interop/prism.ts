// Prism compares what passes with the host's official description: as a host of its own (`mock`), or in front of another (`proxy`).
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '../test/rig.ts'
import type { Description } from './openapi.ts'

const cli = join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js')
const START_MS = 120_000

export interface Prism extends AsyncDisposable {
  readonly url: string
}

export interface Violation {
  /** `['request', 'body', 'wait_timer']` or `['response', …]` */
  readonly location: readonly string[]
  readonly message: string
  readonly severity: string
}

/** With `upstream` it stands in front of that; without, it answers with the examples of the description. */
export async function startPrism(description: Description, upstream?: string): Promise<Prism> {
  await using place = new AsyncDisposableStack()
  // Kept while Prism runs, which watches the file, and crashes if it disappears at the wrong moment.
  const folder = place.use(temporaryFolder())
  const file = join(folder.path, 'description.json')
  writeFileSync(file, JSON.stringify(description))
  const mode = upstream === undefined ? ['mock', file] : ['proxy', file, upstream]
  const child = spawn(process.execPath, [cli, ...mode, '--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  place.defer(async () => {
    child.kill()
    await ended
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  let output = ''
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`
    const url = /Prism is listening on (\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    clearTimeout(timer)
    child.stdout.resume()
    const running = place.move()
    return { url, [Symbol.asyncDispose]: () => running.disposeAsync() }
  }
  throw new Error(`Prism did not start:\n${output}`)
}

/** What Prism finds wrong with a request or with its answer. */
export function violationsOf({ headers }: Response): readonly Violation[] {
  const text = headers.get('sl-violations') ?? '[]'
  if (text.startsWith('[')) return JSON.parse(text) as readonly Violation[]
  // Of too many it cuts off the list.
  const location = /"location":\["(\w+)"/.exec(text)?.[1] ?? 'request'
  return [{ location: [location], message: text, severity: 'Error' }]
}
