// An emulator of the host that somebody else wrote, behind a relay: what it lacks, our own test host provides.
import { startHost, TOKEN, type TestHost } from '../test/host.ts'
import { startRelay, type Passing, type Relay, type Way } from './relay.ts'

export interface Emulator extends AsyncDisposable {
  /** The address for Reposmith. */
  readonly url: string
  /** Where Actions permissions and environments are kept. */
  readonly ours: TestHost
  readonly passed: Relay['passed']
  /** Diverts a request of Reposmith's; undefined lets it pass. */
  intercept: (passing: Passing, to: string) => Way | undefined
  /** Asks the emulator directly, as somebody else would. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** The user ada, whose token is TOKEN, and the organization octo, which she may not write to. */
export async function startEmulator(): Promise<Emulator> {
  const { createEmulator } = (await import(API)) as { createEmulator: CreateEmulator }
  const foreign = await createEmulator({ service: 'github', port: 0, seed: SEED })
  const ours = await startHost()
  const relay = await startRelay(async (passing) => {
    const to = await placeOf(passing.path)
    return emulator.intercept(passing, to) ?? { to }
  })

  async function placeOf(path: string): Promise<string> {
    const [, full = ''] = /^\/repos\/([^/]+\/[^/]+)\/(actions\/permissions|environments)\b/.exec(path) ?? []
    if (full === '') return foreign.url
    // Ours knows a repository as soon as the emulator has it.
    if (!ours.repos.has(full) && (await askForeign('GET', `/repos/${full}`)).ok) ours.seed(full)
    return ours.url
  }

  function askForeign(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    return fetch(foreign.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  const emulator: Emulator = {
    url: relay.url,
    ours,
    passed: relay.passed,
    intercept: () => undefined,
    ask: async (...asked) => await (await askForeign(...asked)).json(),
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]()
      await ours[Symbol.asyncDispose]()
      await foreign.close()
    },
  }
  return emulator
}

// By its address: it is installed for this folder alone, and the checks of the rest run without it.
const API = new URL('node_modules/emulate/dist/api.js', import.meta.url).href

type CreateEmulator = (options: {
  readonly service: 'github'
  readonly port: number
  readonly seed: unknown
}) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>

const SEED = {
  tokens: { [TOKEN]: { login: 'ada', scopes: ['repo'] } },
  github: { users: [{ login: 'ada', name: 'Ada' }], orgs: [{ login: 'octo', name: 'Octo' }] },
}
