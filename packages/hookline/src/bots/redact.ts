// Removes secrets from what handlers print and from their tracebacks, which go to the log and to the delivery's record.
import { resolveSecret } from '../senders/secret.ts'
import { LINE_MAX_BYTES, type PrintLog } from '../handlers/prints.ts'

/** `text` without the values of the bot's own secrets, and without what follows `token=` and the like. */
export function redact(text: string, secrets: readonly string[]): string {
  const whole = text.split('\n').map((line) => withoutCut(line, secrets))
  // The longest first: it may contain another.
  const known = secrets
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), whole.join('\n'))
  return known.replace(NAMED, '$<name>[secret]')
}

/** The log for what handlers print. `secretsOf` is asked for each line: a bot's secrets may have changed. */
export function redacting(log: PrintLog, secretsOf: (bot: string) => readonly string[]): PrintLog {
  return {
    info: ({ bot, line }, text) => log.info({ bot, line: redact(line, secretsOf(bot)) }, text),
    warn: (data, text) => log.warn(data, text),
  }
}

/** A line so long that it may have been cut within a secret ends before it. */
function withoutCut(line: string, secrets: readonly string[]): string {
  return Buffer.byteLength(line) < LINE_MAX_BYTES ? line : secrets.reduce(withoutBeginning, line)
}

/** A text that may end within `secret`, without the part of it that is there. */
function withoutBeginning(text: string, secret: string): string {
  const beginnings = Array.from({ length: secret.length - 1 }, (_, cut) => secret.slice(0, -1 - cut))
  const found = beginnings.find((each) => text.endsWith(each))
  return found === undefined ? text : `${text.slice(0, -found.length)}[secret]`
}

/** The present values: that a secret has changed since the text was made is rare. */
export function valuesOf(references: readonly string[], folder: string): readonly string[] {
  return references.flatMap((reference) => {
    const resolved = resolveSecret(reference, folder)
    if (!resolved.ok) return []
    // Of `user:password`, the password by itself too.
    const [, password = ''] = /^[^:]*:(.{6,})$/.exec(resolved.secret) ?? []
    return password === '' ? [resolved.secret] : [resolved.secret, password]
  })
}

// A word that ends in the name of a secret; then `=`, or in JSON and reprs a quote and a colon; perhaps a scheme. Or a scheme
// alone. Six characters at least: anything shorter is probably code.
const NAMED =
  /(?<name>(?:token|secret|passw(?:or)?d|api[_-]?key|signature|authorization)(?:["']?\s*=\s*|["']\s*:\s*)["']?(?:(?:Bearer|Basic|token)\s+)?|\b(?:Bearer|Basic)\s+)[\w.~+/=-]{6,}/gi
