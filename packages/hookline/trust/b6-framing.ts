// B6: requests that two parsers could read in two ways, as smugglers send them. Raw bytes, and what of them was taken for a delivery.
import { connect } from 'node:net'
import { head } from '../test/rigs/webhooks.ts'
import { startRig } from '../test/rig.ts'
import { figure } from './figure.ts'

const BOT = 'spark-ori-ci'
const YAML = `bot: {name: ${BOT}, owner: spark-ori}\noutput: {channels: ["#c"], template: "{body.n}"}\n`
const BODY = '{"n":1}'
const LENGTH = `Content-Length: ${BODY.length}`
/** A request within the first one's body, if a parser can be made to see it there. */
const INNER = head(BOT, `${LENGTH}\r\nConnection: close`) + BODY
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const TARGETS = [
  `/${BOT}\tx`,
  `/${BOT} x`,
  `//${BOT}`,
  `/./${BOT}`,
  `/x/../${BOT}`,
  `/%2e%2e/${BOT}`,
  `\\${BOT}`,
  `${BOT}`,
  '*',
  `http://evil.example/${BOT}`,
  `http://localhost@evil.example/${BOT}`,
  `/${BOT}%00`,
  `/${BOT}%0d%0aX: y`,
  `/${BOT};x=1`,
  `/${BOT}/`,
]
const LENGTHS = [
  '+7',
  '-7',
  '7.0',
  '0x7',
  '7 7',
  '7,7',
  '7, 8',
  '"7"',
  '',
  ' ',
  '٧',
  '99999999999999999999',
  '1e1',
  '07x',
]
const CODINGS = [
  'xchunked',
  'chunked, identity',
  'identity',
  'chunked;q=1',
  '"chunked"',
  'chunked\u000b',
  'gzip, chunked',
  'chunked, chunked',
  'identity, chunked',
]
const CHUNKS = [
  'g\r\nx\r\n0\r\n\r\n',
  '-1\r\nx\r\n0\r\n\r\n',
  '0x7\r\n{"n":1}\r\n0\r\n\r\n',
  '+7\r\n{"n":1}\r\n0\r\n\r\n',
  '7 \u0000\r\n{"n":1}\r\n0\r\n\r\n',
  'ffffffffffffffff1\r\nx\r\n0\r\n\r\n',
  '7\n{"n":1}\n0\n\n',
  '7\r{"n":1}\r0\r\r',
  '7\r\n{"n":1}0\r\n\r\n',
  '7\r\n{"n":1}\r\n0\r\nContent-Length: 9\r\n\r\n',
  '7\r\n{"n":1}\r\n0\r\nTransfer-Encoding: x\r\n\r\n',
  `7;x="\r\n${INNER}"\r\n{"n":1}\r\n0\r\n\r\n`,
]
const HEADERS = [
  'X: a\rb',
  'X: a\nb: c',
  'X: a\u0000b',
  'X : a',
  ' X: a',
  'X: a\r\n folded',
  `X: a\r\n ${LENGTH}`,
  ': a',
  'X a',
  'Content-Length : 3',
  'Content-Length\u00a0: 3',
  '\u0001X: a',
  'Host: evil.example',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk',
  'Expect: 100-continue',
  'Trailer: Content-Length',
  'TE: trailers, deflate',
  'Connection: Content-Length',
  'X-HTTP-Method-Override: DELETE',
]
const FIRST_LINES = [
  `POST /${BOT}`,
  `POST /${BOT} HTTP/2.0`,
  `POST /${BOT} HTTP/1.2`,
  `POST /${BOT} HTTP/0.9`,
  `POST /${BOT} HTTP/1.1 x`,
  `POST\t/${BOT}\tHTTP/1.1`,
  ` POST /${BOT} HTTP/1.1`,
  `post /${BOT} HTTP/1.1`,
  `POST\u0000 /${BOT} HTTP/1.1`,
  `POST /${BOT} http/1.1`,
  `POST /${BOT} HTTP/1.1\r`,
  `POST /${BOT} ICY/1.1`,
]

/** What is sent, and how many deliveries it may become. */
const CASES: readonly (readonly [bytes: string, most: number])[] = [
  ...TARGETS.map(
    (target) => [`POST ${target} HTTP/1.1\r\nHost: localhost\r\n${LENGTH}\r\n\r\n${BODY}`, 1] as const,
  ),
  ...LENGTHS.map((length) => [head(BOT, `Content-Length: ${length}`) + BODY, 0] as const),
  ...LENGTHS.map((length) => [head(BOT, `${LENGTH}\r\nContent-Length: ${length}`) + BODY, 0] as const),
  ...CODINGS.map((coding) => [head(BOT, `Transfer-Encoding: ${coding}`) + chunked(BODY), 1] as const),
  ...CODINGS.map(
    (coding) => [head(BOT, `${LENGTH}\r\nTransfer-Encoding: ${coding}`) + BODY + INNER, 0] as const,
  ),
  ...CHUNKS.map((chunks) => [head(BOT, 'Transfer-Encoding: chunked') + chunks, 1] as const),
  ...HEADERS.map((header) => [head(BOT, `${LENGTH}\r\n${header}`) + BODY, 1] as const),
  ...FIRST_LINES.map((line) => [`${line}\r\nHost: localhost\r\n${LENGTH}\r\n\r\n${BODY}`, 0] as const),
  [head(BOT, `${LENGTH}\r\nTransfer-Encoding: chunked`) + chunked(BODY) + INNER, 0],
  [head(BOT, `Transfer-Encoding: chunked\r\n${LENGTH}`) + chunked(BODY) + INNER, 0],
  [head(BOT, `Content-Length: ${BODY.length + INNER.length}`) + BODY + INNER, 0],
  [head(BOT, `Transfer-Encoding: chunked`) + chunked(BODY + INNER), 0],
  [INNER + INNER, 1],
  [`\r\n\r\n\r\n${INNER}`, 1],
  [INNER.replaceAll('\r\n', '\n'), 0],
  [INNER.replaceAll('\r\n', '\r'), 0],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 0],
  ['\u0016\u0003\u0001\u0002\u0000\u0001', 0],
]

export default figure({
  id: 'B6',
  promise:
    'A request that can be read in two ways is refused, and never becomes more deliveries than it is requests',
  goal: `${CASES.length} cases: none answered 5xx, none taken for more than it is`,
  small: {},
  whole: {},
  async measure() {
    await using rig = await startRig({ bots: { [BOT]: YAML } })
    const wrong: string[] = []
    let before = 0
    for (const [bytes, most] of CASES) {
      const answer = await answerTo(Number(new URL(rig.url).port), bytes)
      const rows = (await rig.server.store.deliveries.list({ limit: 1_000 })).length
      const isAnswered =
        answer === '' || /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (?:[24]\d\d|50[15]) /.test(answer)
      // One that became a delivery is told so.
      const isTold = rows === before || / 200 OK\r\n/.test(answer)
      if (rows - before > most || !isAnswered || !isTold)
        wrong.push(
          `${JSON.stringify(bytes.slice(0, 100))}: ${rows - before} deliveries, ${answer.slice(0, 30)}`,
        )
      before = rows
    }
    return {
      figure: [`${wrong.length} of ${CASES.length} cases wrong`, ...wrong].join('\n'),
      isMet: wrong.length === 0,
    }
  },
})

/** Until the server closes, or has nothing more to say to somebody who has ended. */
function answerTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.on('end', () => socket.destroy())
    socket.end(Buffer.from(bytes, 'utf8'))
  })
}
