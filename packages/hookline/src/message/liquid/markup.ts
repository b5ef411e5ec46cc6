// What readers of Slack and of Discord would see of their markup. docs.slack.dev/messaging/formatting-message-text,
// https://support.discord.com/hc/en-us/articles/210298617
import { between, CODE } from './codes.ts'
import { emojiOf } from './emoji.ts'

/** `<https://example.com|the list>`, `&amp;`, `*bold*` and `:tada:` as links, characters and IRC formatting. */
export function fromSlack(text: string): string {
  // Neither code nor what is between < and > has any markup inside.
  return text
    .split(APART)
    .map((part, at) => (at % 2 === 0 ? formatted(part) : unmarked(part)))
    .join('')
    .replaceAll(/&(?:amp|lt|gt);/g, (escape) => ESCAPES[escape] ?? escape)
}

const APART = /(```[^`]+```|`[^`\n]+`|<(?:https?:|mailto:|[@#!])[^<>\n]+>)/

const ESCAPES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

function unmarked(part: string): string {
  if (part.startsWith('`')) {
    const code = part.replaceAll(/^`+|`+$/g, '').trim()
    return code === '' ? '' : between(CODE.mono, code, CODE.mono)
  }
  const [to = '', label] = part.slice(1, -1).split(/\|(.*)/s, 2)
  if (!/^https?:/.test(to)) return label || to.replace(/^!|^mailto:/, '')
  return label && label !== to ? `${formatted(label)} (${to})` : to
}

function formatted(part: string): string {
  const shown = marks.reduce(
    (text, [pattern, code]) => text.replaceAll(pattern, (_, inner: string) => between(code, inner, code)),
    part.replaceAll(/~(?=\S)([^~\n]*[^~\s])~/g, '$1'),
  )
  return shown.replaceAll(
    /:([a-z0-9_+-]{1,60}):(?::skin-tone-\d:)?/g,
    (whole, name: string) => emojiOf(name) ?? whole,
  )
}

// A mark begins and ends at the edge of a word: `snake_case_name` and `2*3*4` have none.
const marks = [
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\p{L}\p{N}*])/gu, CODE.bold],
  [/(?<![\p{L}\p{N}_/:.])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}_])/gu, CODE.italic],
] as const

/** What a reader of Discord would see of its Markdown: `[the list](https://example.com)`, `**bold**` and `:tada:`. */
export function fromMarkdown(text: string): string {
  return text
    .split(APART_IN_MARKDOWN)
    .map((part, at) => (at % 2 === 0 ? formatted(asSlack(part)) : apart(part)))
    .join('')
}

const APART_IN_MARKDOWN =
  /(```[^`]+```|`[^`\n]+`|\[[^\]\n]+\]\(<?https?:[^\s()<>]+>?\)|<[^<>\s]+>|https?:[^\s()<>]+)/

function apart(part: string): string {
  const [, label, to] = /^\[([^\]]+)\]\(<?([^\s<>]+?)>?\)$/.exec(part) ?? []
  if (label !== undefined && to !== undefined)
    return label === to ? to : `${formatted(asSlack(label))} (${to})`
  if (part.startsWith('`')) return unmarked(part)
  // <https://example.com> is an address without a preview, <:tea:7> an emoji, <@7> somebody.
  if (!part.startsWith('<')) return part
  const [, emoji] = /^<a?(:\w+:)\d+>$/.exec(part) ?? []
  return emoji ?? part.slice(1, -1)
}

/** Two marks are one of Slack's; a heading and a quotation have none there. */
function asSlack(part: string): string {
  return part
    .replaceAll(/^(?:#{1,3}|>) +/gm, '')
    .replaceAll(/(?<![*\w])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![*\w])/g, '_$1_')
    .replaceAll(/\*\*(?=\S)([^*\n]*[^\s*])\*\*/g, '*$1*')
    .replaceAll(/__(?=\S)([^_\n]*[^\s_])__/g, '$1')
    .replaceAll(/~~(?=\S)([^~\n]*[^\s~])~~/g, '$1')
}
