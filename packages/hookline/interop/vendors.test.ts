// The vendors' own libraries: what they sign our server believes, and what our tests sign they believe.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { post } from '../test/post.ts'
import { startRig } from '../test/rig.ts'
import { secretFor, sign, type SenderName } from '../test/sign.ts'

interface Vendor {
  readonly sender: SenderName
  /** By the library; undefined where it only verifies. */
  readonly signs?: (secret: string, body: string) => Promise<Record<string, string>> | Record<string, string>
  /** By the library: throws or says false for what it does not believe. */
  readonly believes: (secret: string, body: string, headers: Readonly<Record<string, string>>) => unknown
}

// The libraries are installed for these tests alone: their types are not there when the house is checked.
interface Octokit {
  sign(secret: string, body: string): Promise<string>
  verify(secret: string, body: string, signature: string): Promise<boolean>
}
interface Stripe {
  default: {
    webhooks: {
      generateTestHeaderString(options: { payload: string; secret: string }): string
      constructEvent(body: string, header: string, secret: string): unknown
    }
  }
}
type StandardWebhook = new (secret: string) => {
  sign(id: string, at: Date, body: string): string
  verify(body: string, headers: Readonly<Record<string, string>>): unknown
}
interface Linear {
  LinearWebhookClient: new (secret: string) => { verify(body: Buffer, signature: string): boolean }
}

const load = async <T>(name: string) => (await import(name)) as T
const octokit = await load<Octokit>('@octokit/webhooks-methods')
const stripe = (await load<Stripe>('stripe')).default
const { Webhook: Standard } = await load<{ Webhook: StandardWebhook }>('standardwebhooks')
const { Webhook: Svix } = await load<{ Webhook: StandardWebhook }>('svix')
const { LinearWebhookClient } = await load<Linear>('@linear/sdk/webhooks')

const vendors: Readonly<Record<string, Vendor>> = {
  '@octokit/webhooks-methods': {
    sender: 'github',
    signs: async (secret, body) => ({ 'x-hub-signature-256': await octokit.sign(secret, body) }),
    believes: (secret, body, headers) => octokit.verify(secret, body, headers['x-hub-signature-256'] ?? ''),
  },
  stripe: {
    sender: 'stripe',
    signs: (secret, payload) => ({
      'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret }),
    }),
    believes: (secret, body, headers) =>
      stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret),
  },
  standardwebhooks: standard('standard', Standard, 'webhook'),
  'standardwebhooks, as GitLab uses it': standard('gitlab-signing', Standard, 'webhook'),
  svix: standard('svix', Svix, 'svix'),
  '@linear/sdk': {
    sender: 'linear',
    believes: (secret, body, headers) =>
      new LinearWebhookClient(secret).verify(Buffer.from(body), headers['linear-signature'] ?? ''),
  },
}

for (const [library, { sender, signs, believes }] of Object.entries(vendors)) {
  const name = `spark-ori-${sender}`
  const secret = secretFor(sender)
  const type = sender === 'svix' ? 'standard' : sender
  const file = `bot: {name: ${name}, owner: spark-ori}
trigger: {auth: {type: ${type}, secrets: ["${secretFor(sender, 1)}", "${secret}"]}}
output: {channels: ["#hooks"], template: "{body.text}"}
`

  if (signs)
    test(`${library}: what it signs is believed, and not with a byte that was changed`, async () => {
      await using rig = await startRig({ bots: { [name]: file } })
      for (const text of ['plain', 'kettle ☕ and \\ud83d\\ude00', 'x'.repeat(100_000)]) {
        const body = bodyWith(text)
        const headers = await signs(secret, body)
        const { status, json } = await post(`${rig.url}/${name}`, body, headers)
        assert.deepEqual([status, json['status']], [200, 'posted'])
        assert.equal((await post(`${rig.url}/${name}`, `${body}\n`, headers)).status, 401)
        const other = await signs(secretFor(sender, 2), body)
        assert.equal((await post(`${rig.url}/${name}`, body, other)).status, 401)
      }
    })

  test(`${library}: it believes what our tests sign, and not with another secret`, async () => {
    const body = bodyWith('kettle ☕')
    const { headers } = sign(sender, { secret, body, id: 'msg_1' })
    assert.ok(await believes(secret, body, headers))
    const other = sign(sender, { secret: secretFor(sender, 2), body, id: 'msg_1' })
    await assert.rejects(async () => assert.ok(await believes(secret, body, other.headers)))
  })
}

function standard(sender: SenderName, library: StandardWebhook, family: string): Vendor {
  return {
    sender,
    signs: (secret, body) => {
      const now = new Date()
      // Each is an event of its own.
      const id = `msg_${body.length}`
      return {
        [`${family}-id`]: id,
        [`${family}-timestamp`]: String(Math.floor(now.getTime() / 1000)),
        [`${family}-signature`]: new library(secret).sign(id, now, body),
      }
    },
    believes: (secret, body, headers) => new library(secret).verify(body, headers),
  }
}

function bodyWith(text: string): string {
  return `{"webhookTimestamp":${Date.now()},"id":"evt_${text.length}","object":"event","text":"${text}"}`
}
