// IRCv3 message tags: the part of a line before everything else.
// https://ircv3.net/specs/extensions/message-tags

export type Tags = ReadonlyMap<string, string>

export const NO_TAGS: Tags = new Map()

/** Bytes of tags that a client may send, including the `@` and the space. */
export const CLIENT_TAG_BYTES = 4094 + 2

/** `text` is what stands between `@` and the space. The last value of a repeated key wins; no value is the empty string. */
export function parseTags(text: string): Tags {
  if (text === '') return NO_TAGS
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const equals = part.indexOf('=')
    const name = equals === -1 ? part : part.slice(0, equals)
    if (name !== '') tags.set(name, equals === -1 ? '' : unescapeTag(part.slice(equals + 1)))
  }
  return tags
}

/** Without the `@`. */
export function formatTags(tags: Tags): string {
  let text = ''
  for (const [name, value] of tags) text += (text === '' ? '' : ';') + formatTag(name, value)
  return text
}

export function formatTag(name: string, value: string): string {
  return value === '' ? name : `${name}=${escapeTag(value)}`
}

function escapeTag(value: string): string {
  return NEEDS_ESCAPE.test(value) ? value.replace(/[;\s\\]/g, (char) => ESCAPES[char] ?? char) : value
}

/** An undefined escape means the character itself; a lone backslash at the end is dropped. */
function unescapeTag(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(.?)/gs, (_, char: string) => UNESCAPES[char] ?? char)
}

const NEEDS_ESCAPE = /[; \\\r\n]/
const ESCAPES: Readonly<Record<string, string>> = {
  ';': '\\:',
  ' ': '\\s',
  '\\': '\\\\',
  '\r': '\\r',
  '\n': '\\n',
}
const UNESCAPES: Readonly<Record<string, string>> = { ':': ';', s: ' ', '\\': '\\', r: '\r', n: '\n' }
