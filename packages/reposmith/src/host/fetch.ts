// fetch for one host: sends the token to it alone, keeps the method across redirects, and limits the time.

export interface FetchOptions {
  readonly api: string
  readonly token: string
  readonly timeoutMs: number
  /** Fires when the running request is to be given up. */
  readonly abandon: AbortSignal
}

/** Beyond this, the host is redirecting in a loop. */
const REDIRECTS_MAX = 5

export function hostFetch({ api, token, timeoutMs, abandon }: FetchOptions): typeof fetch {
  const home = new URL(api).origin
  return async (input, init = {}) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), abandon])
    let url = new URL(input instanceof Request ? input.url : input)
    for (let redirects = 0; ; redirects++) {
      const headers = new Headers(init.headers)
      headers.delete('authorization')
      if (url.origin === home) headers.set('authorization', `Bearer ${token}`)
      const response = await fetch(url, { ...init, headers, redirect: 'manual', signal })
      const next = redirectOf(response, url)
      // 303 is not followed: it is no answer to the write, or says that the policy exists already.
      // Nor is one to another host, which would get no token: its 401 or 404 would say nothing about what was asked.
      if (next?.origin !== home || redirects === REDIRECTS_MAX) return await whole(response, token)
      await response.body?.cancel()
      url = next
    }
  }
}

/** Reads the whole body: Octokit would take one that breaks off for an empty one. */
async function whole(response: Response, token: string): Promise<Response> {
  // Some gateways echo a header that they reject, and so the token.
  const hide = (text: string): string => (token.length < 8 ? text : text.replaceAll(token, '***'))
  const body = hidden(await bodyOf(response), hide)
  const { status, statusText } = response
  const headers = new Headers([...response.headers].map(([name, value]) => [name, hide(value)]))
  // Octokit goes by the type alone. It parses no application/vnd.github+json, nor a body without a type, and gives others
  // as bytes. A byte order mark counts as space here.
  const isJson = /^\s*([[{]|null\b)/.test(body.toString('utf8', 0, 64))
  headers.set('content-type', isJson ? 'application/json' : 'text/plain')
  return new Response(body.length > 0 ? body : null, { status, statusText, headers })
}

/** JSON may contain the token with some characters escaped. Without it, the body stays as it came, to the last digit. */
function hidden(body: Buffer<ArrayBuffer>, hide: (text: string) => string): Buffer<ArrayBuffer> {
  const plain = Buffer.from(hide(body.toString('latin1')), 'latin1')
  if (!plain.includes('\\')) return plain
  try {
    let isFound = false
    const data: unknown = JSON.parse(plain.toString(), (_, value: unknown) => {
      const shown = typeof value === 'string' ? hide(value) : value
      isFound ||= shown !== value
      return shown
    })
    return isFound ? Buffer.from(JSON.stringify(data)) : plain
  } catch {
    return plain
  }
}

/** A hundred entries take less than 1 MiB. A body larger than this is dropped and treated as empty. */
const MOST_BYTES = 16 * 1024 * 1024

async function bodyOf(response: Response): Promise<Buffer<ArrayBuffer>> {
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
