// Traffic that was recorded at the public host, played back: each answer once, in the order of the recording.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { listen, type Listening } from '../test/listen.ts'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly status: number
  readonly response: unknown
  readonly headers: Readonly<Record<string, string | number>>
}

export interface Recording extends Listening {
  /** `GET /repos/octo/widget 301`; what was not recorded is answered 404. */
  readonly played: readonly string[]
}

export async function play(scenario: string): Promise<Recording> {
  const left = read(scenario)
  const played: string[] = []
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const sent = await text(request)
    const body: unknown = sent === '' ? '' : JSON.parse(sent)
    // A list is asked for with another size of page than in the recording.
    const found =
      left.find((each) => matches(each, method, url, body)) ??
      left.find((each) =>
        matches({ ...each, path: withoutQuery(each.path) }, method, withoutQuery(url), body),
      )
    played.push(`${method} ${url} ${found?.status ?? 404}`)
    if (!found)
      return void response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"message":"Not Found"}')
    left.splice(left.indexOf(found), 1)
    response.writeHead(found.status, headersOf(found))
    response.end(found.response === '' ? '' : JSON.stringify(found.response))
  }

  /** All but what belongs to the connection; links and redirects lead back to us. */
  function headersOf({ headers }: Recorded): Record<string, string> {
    const kept = Object.entries(headers).filter(([name]) => !['connection', 'content-length'].includes(name))
    return Object.fromEntries(
      kept.map(([name, value]) => [name, String(value).replaceAll('https://api.github.com', recording.url)]),
    )
  }

  const recording: Recording = { ...(await listen(server)), played }
  return recording
}

function read(scenario: string): Recorded[] {
  const folder = new URL('node_modules/@octokit/fixtures/scenarios/api.github.com/', import.meta.url)
  return JSON.parse(
    readFileSync(new URL(`${scenario}/normalized-fixture.json`, folder), 'utf8'),
  ) as Recorded[]
}

function matches(recorded: Recorded, method: string, path: string, body: unknown): boolean {
  const same = recorded.method === method.toLowerCase() && recorded.path === path
  return same && isDeepStrictEqual(recorded.body, body)
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? ''
}
