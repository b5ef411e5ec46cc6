// `output.thread`: which messages of a bot belong together.
import { hash } from 'node:crypto'
import type { Output } from './file/outputschema.ts'
import { rootsOf } from '../message/path.ts'
import type { Envelope, Payload } from '../message/payload.ts'
import { compile, render, type Template } from '../message/template.ts'

/** The key of a message's thread. Undefined if a token names nothing, null or an empty text: it belongs to no other message. */
export type ThreadKey = (payload: Payload, envelope: Envelope) => string | undefined

export function compileThread(text: string): ThreadKey {
  const whole = compile(text)
  // Each by itself, to see whether it is null.
  const tokens = whole.parts.flatMap((part) => (typeof part === 'string' ? [] : { ...whole, parts: [part] }))
  return (payload, envelope) => {
    const textOf = (template: Template): string | undefined => {
      const rendered = render(template, payload, rootsOf(envelope))
      return rendered.ok ? rendered.text : undefined
    }
    if (tokens.some((token) => NOTHING.has(textOf(token)))) return undefined
    const key = textOf(whole)
    // An index holds the key of every thread: a longer one is replaced by its hash.
    return key !== undefined && key.length > LONGEST_KEY ? hash('sha256', key, 'hex') : key
  }
}

const NOTHING: ReadonlySet<string | undefined> = new Set([undefined, 'null', ''])
const LONGEST_KEY = 200

/** What is valid but probably not meant. A thread is always in tokens: Liquid in it gives the same text for every message. */
export function threadWarnings({ engine, thread = '' }: Output): readonly string[] {
  if (/^(?:body|headers)\.\S+$/.test(thread))
    return [`${thread} is plain text, the same for all messages: a token is {${thread}}`]
  const liquid = engine === 'liquid' ? (thread.match(/\{\{[^{}]+\}\}|\{%[^{}]+%\}/g) ?? []) : []
  return liquid.length > 0
    ? liquid.map(
        (text) => `${text} is plain text here: a thread is in tokens, {body.name}, also with engine: liquid`,
      )
    : compile(thread, '').warnings
}
