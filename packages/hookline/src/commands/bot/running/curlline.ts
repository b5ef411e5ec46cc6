// A command line to paste that posts to a bot, with the proof that the bot requires.
import type { BotView } from '../bot.ts'
import { sampleOf } from './sample.ts'

type Proof = NonNullable<NonNullable<BotView['auth']>['proof']>
type Signature = Extract<Proof, { kind: 'signed' }>

/** For a shell with curl, and openssl for signatures. SECRET stands for the secret. */
export function tryLine(bot: BotView, url: string): string {
  const { headers, body } = sampleOf(bot)
  const named = Object.entries(headers).map(([name, value]) => `-H '${titled(name)}: ${value}'`)
  const proof = bot.auth?.proof ?? null
  switch (proof?.kind) {
    case undefined:
      return curl(quoted(body), named, url)
    case 'token': {
      const [name = 'authorization'] = proof.headers
      if (bot.auth?.type === 'url') return curl(quoted(body), named, `${url}/SECRET`)
      const value = name === 'authorization' ? 'Bearer SECRET' : 'SECRET'
      return curl(quoted(body), [...named, `-H '${titled(name)}: ${value}'`], url)
    }
    case 'basic':
      return curl(quoted(body), [...named, '-u USER:PASSWORD'], url)
    case 'signed':
      return signedLine(proof, body, named, url)
  }
}

function signedLine(proof: Signature, sample: object, named: readonly string[], url: string): string {
  const { timestamp, id } = proof
  const time = timestamp === null ? [] : [`TS=$(date +%s)${timestamp.unit === 'ms' ? '000' : ''}; `]
  const name = id === null ? [] : [`ID=try-$(date +%s); `]
  const body = timestamp?.in === 'body' ? timed(sample, timestamp.name) : quoted(sample)
  const headers = [
    ...named,
    ...(id === null ? [] : [`-H "${titled(id)}: $ID"`]),
    ...(timestamp?.in === 'header' ? [`-H "${titled(timestamp.name)}: $TS"`] : []),
    `-H "${titled(proof.header)}: ${fieldBefore(proof)}${inQuotes(proof.prefix)}$(${signer(proof)})"`,
  ]
  return `${[...time, ...name].join('')}BODY=${body}; ${curl('"$BODY"', headers, url)}`
}

function curl(body: string, headers: readonly string[], url: string): string {
  // zsh takes the brackets of an IPv6 address for a glob that matches no file.
  const address = url.includes('[') ? `'${url}'` : url
  return ['curl', `-H 'Content-Type: application/json'`, ...headers, '-d', body, address].join(' ')
}

/** `t=$TS,` if the timestamp is a field of the signature's header. */
function fieldBefore({ timestamp, separator }: Signature): string {
  return timestamp?.in === 'field' ? `${timestamp.name}=$TS${inQuotes(separator ?? ',')}` : ''
}

function signer({ signed, hash, key, encoding }: Signature): string {
  const message = inQuotes(signed).replace('{id}', '$ID').replace('{ts}', '$TS').replace('{body}', '$BODY')
  const bytes = `$(printf %s SECRET | sed 's/^whsec_//' | openssl base64 -d -A | od -An -tx1 | tr -d ' \\n')`
  const keyed = key === 'text' ? '-hmac SECRET' : `-mac HMAC -macopt hexkey:${bytes}`
  const written = encoding === 'hex' ? ` | sed 's/.* //'` : ' -binary | openssl base64 -A'
  return `printf %s "${message}" | openssl dgst -${hash} ${keyed}${written}`
}

/** The sample with the timestamp at its path, filled in by the shell. */
function timed(sample: object, path: string): string {
  const mark = '@TIME@'
  const names = path.split('.')
  const inner = names.toReversed().reduce<unknown>((value, name) => ({ [name]: value }), mark)
  return quoted({ ...sample, ...(inner as object) }).replace(`"${mark}"`, `'$TS'`)
}

function quoted(sample: object): string {
  return `'${JSON.stringify(sample).replaceAll(`'`, `'\\''`)}'`
}

/** Escapes what a shell would interpret inside double quotes. */
function inQuotes(text: string): string {
  return text.replaceAll(/[\\"`$]/g, '\\$&')
}

/** `x-hub-signature-256` → `X-Hub-Signature-256` */
function titled(header: string): string {
  return header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
