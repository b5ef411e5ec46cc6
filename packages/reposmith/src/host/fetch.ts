// One request to one host: sends the token to it alone, keeps the method across redirects, and limits time and size.
import type { HostAnswer } from './asked.ts'

export interface AskOptions {
  readonly api: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Fires when the running request is to be given up. */
  readonly abandon: AbortSignal
}

/** Resolves with any answer, and rejects where none came. `target` is a path of the API, or a whole URL. */
export type Ask = (method: string, target: string, body?: object) => Promise<HostAnswer>

/** Beyond this, the host is redirecting in a loop. */
const REDIRECTS_MAX = 5

export function askerFor({ api, token, headers, timeoutMs, abandon }: AskOptions): Ask {
  const home = new URL(api).origin
  return async (method, target, body) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), abandon])
    const type = body ? { 'content-type': 'application/json; charset=utf-8' } : {}
    const init = { method, redirect: 'manual', signal, body: body ? JSON.stringify(body) : null } as const
    let url = new URL(target.startsWith('/') ? api + target : target)
    for (let redirects = 0; ; redirects++) {
      const own = url.origin === home ? { authorization: `Bearer ${token}` } : {}
      const response = await fetch(url, { ...init, headers: { ...headers, ...type, ...own } })
      const next = redirectOf(response, url)
      // 303 is not followed: it is no answer to the write, or says that the policy exists already.
      // Nor is one to another host, which would get no token: its 401 or 404 would say nothing about what was asked.
      if (next?.origin !== home || redirects === REDIRECTS_MAX) return await whole(response, token)
      await response.body?.cancel()
      url = next
    }
  }
}

/** The whole answer: a body that breaks off is none. */
async function whole(response: Response, token: string): Promise<HostAnswer> {
  // Some gateways echo a header that they reject, and so the token.
  const hide = (text: string): string => (token.length < 8 ? text : text.replaceAll(token, '***'))
  // Unlike a Buffer's toString, it drops a byte order mark.
  const text = new TextDecoder().decode(await bodyOf(response))
  const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name, hide(value)]))
  return { status: response.status, headers, data: dataOf(text, hide) }
}

/** The value of a JSON body; any other body is its text. Whatever it is, the token is hidden in it. */
function dataOf(text: string, hide: (text: string) => string): unknown {
  if (!/^\s*([[{]|null\b)/.test(text)) return hide(text)
  try {
    // JSON may contain the token with some characters escaped, also in a key.
    return JSON.parse(hide(text), (_, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'string' ? hide(value) : exact(value, context?.source),
    )
  } catch {
    return hide(text)
  }
}

/** A number too large for JavaScript keeps all its digits. */
function exact(value: unknown, source = ''): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value
}

/** A hundred entries take less than 1 MiB. A body larger than this is dropped and treated as empty. */
const MOST_BYTES = 16 * 1024 * 1024

async function bodyOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return Buffer.alloc(0)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location')
  return [301, 302, 307, 308].includes(response.status) && location ? URL.parse(location, from.href) : null
}
