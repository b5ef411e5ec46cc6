// The block for nginx in docs/network.md, word for word but for TLS, ports and folders, before a server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf } from '../test/docs.ts'
import { newFolder } from '../test/folder.ts'
import { ask, post } from '../test/post.ts'
import { startRig } from '../test/rig.ts'
import { WebPerson } from '../test/webperson.ts'
import { until } from './patience.ts'
import { freePort, unlessInstalled } from './place.ts'
import { Program } from './program.ts'

const skip = unlessInstalled('nginx')

const CONFIG = `
server: {trusted_proxies: [127.0.0.1]}
listeners: [{port: 0}, {port: 0, websocket: true}]
logging: {level: error}
`

test(
  'nginx passes on chat and webhooks, believes no address that a sender claims, and hides the metrics',
  { skip },
  async () => {
    await using rig = await startRig({
      config: CONFIG,
      bots: { 'spark-ori-ci': bot('ci', ''), 'spark-ori-lan': bot('lan', 'allow_from: [192.0.2.0/24]') },
    })
    using folder = newFolder()
    const port = await freePort()
    const file = join(folder.path, 'nginx.conf')
    writeFileSync(file, configured(folder.path, port, rig))
    await using _nginx = Program.start('nginx', ['-p', folder.path, '-c', file], { home: folder.path })
    const hooks = `http://127.0.0.1:${port}/hooks`
    await until(
      () =>
        ask(`${hooks}/health`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      () => 'nginx does not serve',
    )

    using ann = await WebPerson.connect(`ws://127.0.0.1:${port}/chat`)
    ann.type('NICK ann', 'USER ann 0 * :Ann', 'JOIN #builds')
    await ann.until(/ 366 /)
    assert.equal((await post(`${hooks}/spark-ori-ci`, { text: 'green' })).status, 200)
    await ann.until(/PRIVMSG #builds :green/)

    assert.equal(await statusFor(`${hooks}/spark-ori-lan`, '192.0.2.7'), 403)
    assert.equal((await ask(`${hooks}/metrics`)).status, 404)
  },
)

/** Of a post from another address of this machine that claims to be from `claimed`. */
async function statusFor(url: string, claimed: string): Promise<number | undefined> {
  const headers = { 'X-Forwarded-For': claimed, 'Content-Type': 'application/json' }
  const sending = request(url, { method: 'POST', localAddress: '127.0.0.2', headers, agent: false })
  sending.end('{}')
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

function bot(name: string, trigger: string): string {
  return `bot: {name: spark-ori-${name}, owner: spark-ori}
trigger: {${trigger}}
output: {channels: ["#builds"], template: "{text}"}
`
}

function configured(
  folder: string,
  port: number,
  { secondPort, url }: { secondPort: number; url: string },
): string {
  const lines = blocksOf('network').find(({ info }) => info === 'nginx')?.lines ?? []
  const block = lines
    .filter((line) => !line.includes('ssl_certificate'))
    .join('\n')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:8097', `http://127.0.0.1:${secondPort}`)
    .replace('http://127.0.0.1:7680', url)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    'daemon off; master_process off;',
    'error_log stderr;',
    `pid ${folder}/pid;`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((what) => `${what}_temp_path ${folder}/${what};`),
    block,
    '}',
  ].join('\n')
}
