// RFC 5802: a client's half of SCRAM.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

/** Section 3: the last message of a client, with its proof, and the answer that proves the server. */
export function finalMessages(password: string, bare: string, serverFirst: string, channel = 'biws') {
  const [, nonce = '', salt = '', iterations = ''] = /^r=(.*),s=(.*),i=(\d+)$/.exec(serverFirst) ?? []
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256')
  const without = `c=${channel},r=${nonce}`
  const sign = (key: Buffer) => hmac(key, `${bare},${serverFirst},${without}`)
  const clientKey = hmac(salted, 'Client Key')
  const signature = sign(createHash('sha256').update(clientKey).digest())
  const proof = Buffer.from(clientKey.map((byte, i) => byte ^ (signature[i] ?? 0))).toString('base64')
  return {
    client: `${without},p=${proof}`,
    server: `v=${sign(hmac(salted, 'Server Key')).toString('base64')}`,
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
