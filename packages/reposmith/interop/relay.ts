// A relay on 127.0.0.1: every request goes where a test says, changed as it says, or no further.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen, type Listening } from '../test/listen.ts'

export interface Passing {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** As they go on; a test may change them. */
  readonly headers: Headers
}

/** The base address that it goes on to, or the status that ends it here. */
export type Way = { readonly to: string; readonly loseAnswer?: boolean } | { readonly status: number }

export interface Relay extends Listening {
  readonly passed: readonly Passing[]
}

/** `address` is how clients call it, where that is not its own: as a proxy it is asked for another's pages. */
export async function startRelay(
  choose: (passing: Passing) => Way | Promise<Way>,
  address?: string,
): Promise<Relay> {
  const passed: Passing[] = []
  const server = createServer((request, response) => {
    // What cannot be passed on is a connection that breaks, as with any relay.
    pass(request, response).catch(() => response.destroy())
  })

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { method = '', url = '' } = request
    // A client that is told of a proxy sends the whole address.
    const { pathname, search } = new URL(url, 'http://relay')
    const passing = { method, path: pathname + search, headers: headersOf(request) }
    passed.push(passing)
    const way = await choose(passing)
    if ('status' in way)
      return void response.writeHead(way.status, { 'content-type': 'application/json' }).end('{}')
    const { headers } = passing
    const sent = { method, headers, ...(body.length ? { body } : {}) }
    const reply = await fetch(way.to + passing.path, { ...sent, redirect: 'manual' })
    const data = await reply.bytes()
    if (way.loseAnswer) return void response.destroy()
    response.writeHead(reply.status, answerHeaders(reply, way.to)).end(data)
  }

  /** Links and redirects lead through the relay too. */
  function answerHeaders({ headers }: Response, from: string): Record<string, string> {
    const kept = [...headers].filter(([name]) => !HOP_BY_HOP.has(name))
    return Object.fromEntries(
      kept.map(([name, value]) => [name, value.replaceAll(from, address ?? relay.url)]),
    )
  }

  const relay: Relay = { ...(await listen(server)), passed }
  return relay
}

const HOP_BY_HOP = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
])

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (!HOP_BY_HOP.has(name)) for (const value of values) headers.append(name, value)
  }
  return headers
}
