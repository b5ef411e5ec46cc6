// SASL exchanges between a client and an account, whatever the transport. https://www.rfc-editor.org/rfc/rfc4422
import { accountKey } from '../irc/names.ts'
import type { FullAccount } from '../store/accountrows.ts'
import { type Verdict, WRONG } from './answers.ts'
import { type Client, type Logins, withoutDevice } from './login.ts'
import { beginScram, parseClientFirst, type ScramExchange } from './scram.ts'

export type Step =
  | { readonly kind: 'challenge'; readonly bytes: Uint8Array }
  | { readonly kind: 'settled'; readonly verdict: Verdict }

/** One client's exchange: takes its messages and returns the replies, until settled. */
export interface Exchange {
  step(message: Uint8Array): Promise<Step>
}

export const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'EXTERNAL'] as const
export type Mechanism = (typeof MECHANISMS)[number]

export function beginExchange(mechanism: Mechanism, client: Client, logins: Logins): Exchange {
  switch (mechanism) {
    case 'PLAIN':
      return plain(client, logins)
    case 'SCRAM-SHA-256':
      return scram(client, logins)
    case 'EXTERNAL':
      return external(client, logins)
  }
}

/** `authzid NUL authcid NUL password`: https://www.rfc-editor.org/rfc/rfc4616 */
function plain(client: Client, logins: Logins): Exchange {
  return {
    async step(message) {
      const parts = textOf(message)?.split('\0') ?? []
      const [authzid = '', authcid = '', password = ''] = parts
      if (parts.length !== 3 || authcid === '' || password === '' || !isSame(authzid, authcid))
        return settled(WRONG)
      return settled(await logins.check(authcid, password, client))
    },
  }
}

/** RFC 4422 appendix A: the message is the authzid; empty means the account that the certificate belongs to. */
function external(client: Client, logins: Logins): Exchange {
  return {
    async step(message) {
      const authzid = textOf(message)
      return settled(authzid === undefined ? WRONG : await logins.certificate(authzid, client))
    },
  }
}

function scram(client: Client, logins: Logins): Exchange {
  let next: (message: string) => Promise<Step> = first
  return { step: (message) => next(textOf(message) ?? '') }

  async function first(message: string): Promise<Step> {
    const said = parseClientFirst(message)
    if (said === undefined || !isSame(said.authzid, said.username)) return settled(WRONG)
    const username = withoutDevice(said.username)
    const late = logins.late(username, client)
    if (late !== undefined) return settled(late)
    const found = await logins.attempt(() => logins.scramKeys(username))
    if ('ok' in found) return settled(found)
    const exchange = beginScram(said, found.keys)
    next = (answer) => second(answer, exchange, username, found.account)
    return challenge(exchange.serverFirst)
  }

  async function second(
    answer: string,
    exchange: ScramExchange,
    username: string,
    account: FullAccount | undefined,
  ): Promise<Step> {
    const proof = exchange.finish(answer)
    // Decoy keys have no valid proof.
    if (proof === undefined || account === undefined) return settled(logins.conclude(username, client, WRONG))
    const late = logins.late(username, client)
    if (late !== undefined) return settled(late)
    // The client acknowledges the server's proof with `+`, and only then is logged in.
    next = (last) => third(last, account)
    return challenge(proof)
  }

  async function third(last: string, account: FullAccount): Promise<Step> {
    if (last !== '') return settled(WRONG)
    const verdict = await logins.attempt(() => logins.settle(account.key, account.scram))
    return settled(logins.conclude(account.name, client, verdict))
  }
}

/** Acting as another account is not supported. */
function isSame(authzid: string, authcid: string): boolean {
  return authzid === '' || accountKey(withoutDevice(authzid)) === accountKey(withoutDevice(authcid))
}

function settled(verdict: Verdict): Step {
  return { kind: 'settled', verdict }
}

function challenge(text: string): Step {
  return { kind: 'challenge', bytes: Buffer.from(text) }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(message: Uint8Array): string | undefined {
  try {
    return decoder.decode(message)
  } catch {
    return undefined
  }
}
