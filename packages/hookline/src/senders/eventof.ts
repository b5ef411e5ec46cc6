// What kind of event a delivery is: the word by which templates and filter rules are chosen.
import { lookUp, type Path, print } from '../message/path.ts'
import { type Envelope, isScalar, type Payload } from '../message/payload.ts'
import type { EventHeader } from './sender.ts'
import { senders } from './senders.ts'

/** What `path` names, if that is a text, number or boolean; without a path, what a header says. Null when there is none. */
export function eventOf(headers: Envelope['headers'], payload: Payload, path?: Path): string | null {
  if (path === undefined) return eventInHeaders(headers)
  const value = lookUp(path, payload, { headers })
  return value === undefined || value === null || !isScalar(value) ? null : named(print(value))
}

// Some also send the headers of those whose heirs they are, so the youngest comes first.
const HEADERS: readonly EventHeader[] = Object.values(senders)
  .flatMap(({ event }) => event ?? [])
  .toSorted((a, b) => generation(b) - generation(a))

function generation({ also }: EventHeader): number {
  const older = also === undefined ? undefined : senders[also]?.event
  return older === undefined ? 0 : 1 + generation(older)
}

function eventInHeaders(headers: Envelope['headers']): string | null {
  for (const { header, read } of HEADERS) {
    const value = headers[header]
    if (value) return named(read === undefined ? value : read(value))
  }
  return null
}

// Shown in lists and logs, so it must stay a plain, short word.
function named(text: string): string | null {
  const name = text
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed()
  return name === '' ? null : name
}

const LONGEST = 200
