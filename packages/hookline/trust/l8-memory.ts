// L8: a machine with little memory. Work that does not fit is refused, and what was accepted is kept.
import { request } from 'node:http'
import { CHECKOUT } from '../bench/arguments.ts'
import { startCrowd } from '../bench/crowd.ts'
import { BOT, startSubject } from '../bench/subject.ts'
import { figure } from './figure.ts'

/** Of a megabyte each, so many under way at once. */
const SENDERS = 64
const BODY = JSON.stringify({ workflow_run: { display_title: 'x'.repeat(1_000_000), conclusion: 'success' } })

export default figure({
  id: 'L8',
  promise:
    'With a heap of 192 MB, a flood of lines and of large webhooks ends in refusals, never out of memory',
  goal: 'the server lives; every answer is 200, 413, 429 or 503',
  small: { posts: 500 },
  whole: { posts: 5_000 },
  async measure({ posts }) {
    await using server = await startSubject(CHECKOUT, {
      isFloodProtected: true,
      node: ['--max-old-space-size=192'],
    })
    await using crowd = await startCrowd('flood', { port: server.ircPort, linesPerSecond: 20_000 })
    await crowd.order('flood')
    const statuses = new Map<number, number>()
    let left = posts
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        while (left-- > 0) {
          const status = await statusOf(server.webhookPort)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    const isAlive = (await statusOf(server.webhookPort)) !== 0
    const strange = [...statuses.keys()].filter((status) => ![200, 413, 429, 503].includes(status))
    const told = [...statuses].map(([status, count]) => `${count} × ${status || 'cut off'}`)
    return {
      figure: `${isAlive ? 'alive' : 'DEAD'} at ${Math.round((server.residentKiB() ?? 0) / 1_024)} MB; ${told.join(', ')}`,
      isMet: isAlive && strange.length === 0 && (statuses.get(200) ?? 0) > 0,
    }
  },
})

/** 0 where no answer came. */
function statusOf(port: number): Promise<number> {
  return new Promise((resolve) => {
    const asking = request(
      { port, host: '127.0.0.1', method: 'POST', path: `/${BOT}`, agent: false },
      (answer) => {
        answer.resume()
        answer.on('close', () => resolve(answer.statusCode ?? 0))
      },
    )
    asking.on('error', () => resolve(0))
    asking.end(BODY)
  })
}
