// Plays exchanges once more through Prism: the request as it was, and from the other side the answer as it was.
import { createServer } from 'node:http'
import type { Exchange } from '../test/host.ts'
import { listen, type Listening } from '../test/listen.ts'
import { filledIn } from './examples.ts'
import type { Description } from './openapi.ts'
import { startPrism, violationsOf, type Violation } from './prism.ts'

export interface Judged {
  readonly exchange: Exchange
  readonly violations: readonly Violation[]
}

/** A body that is no JSON makes Prism wait for ever. */
const DEADLINE_MS = 120_000

export async function judge(
  description: Description,
  exchanges: readonly Exchange[],
): Promise<readonly Judged[]> {
  await using replies = await startReplies(description, exchanges)
  await using prism = await startPrism(description, replies.url)
  const judged: Judged[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const { method, path, accept, type, body } = exchange
    const headers = {
      [WHICH]: String(index),
      ...(accept ? { accept } : {}),
      ...(type ? { 'content-type': type } : {}),
    }
    const ask = (): Promise<Response> =>
      fetch(`${prism.url}${path}`, {
        method,
        headers,
        ...(body ? { body } : {}),
        redirect: 'manual',
        signal: AbortSignal.timeout(DEADLINE_MS),
      })
    // Prism may let go of an idle connection just as we use it again.
    const response = await ask().catch(ask)
    await response.arrayBuffer()
    judged.push({ exchange, violations: violationsOf(response) })
  }
  return judged
}

const WHICH = 'x-exchange'

/** Answers as in the exchange whose number comes with the request. */
function startReplies(description: Description, exchanges: readonly Exchange[]): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume()
    const exchange = exchanges[Number(request.headers[WHICH])]
    // A connection that was dropped has no answer to judge.
    const reply = exchange?.reply ?? { status: 500, data: {} }
    const data = exchange && filledIn(reply.data, { ...exchange, ...reply }, description)
    const text = data === undefined ? '' : JSON.stringify(data)
    response.writeHead(reply.status, text ? { 'content-type': 'application/json' } : {})
    response.end(text)
  })
  return listen(server)
}
