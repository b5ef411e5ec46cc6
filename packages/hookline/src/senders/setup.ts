// Where to enter a secret, for each sender, in the words of the sender's own pages.
import { AUTH_TYPE_NAMES, type AuthType, factsOf, isGeneral, ownProof } from './authtypes.ts'
import { GITHUB_EVENTS } from './github/sender.ts'
import type { Pair, Setup } from './sender.ts'
import { senders } from './senders.ts'

/** Lines to read and copy from, including the secret. */
export function setupAt(type: AuthType, { url, secret, header, preset }: Entered): readonly string[] {
  if (type === 'url') {
    const place = senders[preset ?? '']?.setup
    return [
      ...(place?.with === 'url' ? [`At ${place.name}: ${place.page}`] : []),
      url
        ? `The whole URL is the secret: ${url}/${secret}`
        : `The last part of the URL is the secret: ${secret}`,
    ]
  }
  const general = header === undefined ? withGeneral(type, preset) : undefined
  const place = isGeneral(type) ? general : ownProof(type).setup
  if (!place) {
    const pairs: readonly Pair[] = [
      ['Post to', url ?? NO_URL],
      ['with', headerWith(type, secret, header)],
    ]
    return [...aligned(pairs), ...elsewhere(url)]
  }
  const lines = [
    `At ${place.name}: ${place.page}`,
    ...aligned([
      [place.url, url ?? NO_URL],
      ...(place.more ?? []),
      [place.secret, place.secretAs?.(secret) ?? secret],
      ...(place.events !== undefined && preset != null ? [place.events] : []),
    ]),
    ...elsewhere(url),
  ]
  return type === 'github' && url !== null ? [...lines, ...ghLines(url, preset)] : lines
}

function aligned(pairs: readonly Pair[]): readonly string[] {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
}

/** Each type and what its requests carry, as a Markdown list. */
export function typeList(): string {
  return AUTH_TYPE_NAMES.map((type) => `- \`${type}\`: ${factsOf(type).about}`).join('\n')
}

/** A loopback or wildcard address is seldom reachable from a sender on another machine. */
function elsewhere(url: string | null): readonly string[] {
  const [, host] = /^http:\/\/(127\.[\d.]+|localhost|0\.0\.0\.0|\[::1?\])[:/]/.exec(url ?? '') ?? []
  return host ? [`  From another machine: the name by which it reaches this one, in place of ${host}`] : []
}

const NO_URL = 'none while webhooks.enabled is false'

interface Entered {
  /** Null while the listener is off. */
  readonly url: string | null
  readonly secret: string
  /** For types whose header is configurable. */
  readonly header: string | undefined
  /** The bot's. */
  readonly preset: string | null | undefined
}

/** Advice for when the sender makes the secret: nothing is generated here. */
export function copyFrom(type: AuthType, url: string | null): string {
  if (isGeneral(type)) return 'copy it from the sender'
  const place = ownProof(type).setup
  return `${place.name} makes it (${place.page}; ${place.url}: ${url ?? NO_URL}): copy its ${place.secret} and hand it over with --secret -`
}

// `gh api` fills in {owner} and {repo} from its folder. The secret is passed through standard input: on a command line
// every user of the machine could read it.
function ghLines(url: string, preset: Entered['preset']): readonly string[] {
  // A template of one's own is seldom for every event.
  const events = preset == null ? ['push'] : GITHUB_EVENTS.map(([event]) => event)
  const config = `"config":{"url":"${url}","content_type":"json","secret":"%s"}`
  return [
    'or in a clone of the repository, with the secret typed or piped in:',
    `  read -r SECRET; printf '{"name":"web","events":${JSON.stringify(events)},${config}}' "$SECRET" | gh api 'repos/{owner}/{repo}/hooks' --input -`,
  ]
}

/** Where the service of the preset takes this general proof. */
function withGeneral(type: AuthType, preset: Entered['preset']): Setup | undefined {
  const setup = senders[preset ?? '']?.setup
  return setup?.with === type && setup.with !== 'url' ? setup : undefined
}

function headerWith(type: AuthType, secret: string, header: string | undefined): string {
  if (type === 'basic') return `Authorization: Basic, as the user and the password in ${secret}`
  if (type === 'hmac') return `${header}, signed with the key ${secret}`
  return header === undefined ? `Authorization: Bearer ${secret}` : `${header}: ${secret}`
}
