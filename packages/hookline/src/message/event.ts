// What kind of event a delivery is: the word by which templates and filter rules are chosen.
import { lookUp, type Path, print } from './path.ts'
import { type Envelope, isScalar, type Payload } from './payload.ts'

/** What `path` names, if that is a text, number or boolean; without a path, what a header says. Null when there is none. */
export function eventOf(headers: Envelope['headers'], payload: Payload, path?: Path): string | null {
  if (path === undefined) return eventInHeaders(headers)
  const value = lookUp(path, payload, { headers })
  return value === undefined || value === null || !isScalar(value) ? null : named(print(value))
}

/** What happened to the subject of the event: `body.action`, if it is text. */
export function actionOf({ rough }: Payload): string | null {
  const { action } = rough
  return typeof action === 'string' ? action : null
}

/** How events are compared: senders do not agree on capitals. */
export function eventKey(event: string, action?: string | null): string {
  return (action === undefined || action === null ? event : `${event}.${action}`).toLowerCase()
}

// Forks also send the headers of their ancestors, so the youngest comes first.
const EVENT_HEADERS = [
  'x-forgejo-event',
  'x-gitea-event',
  'x-gogs-event',
  'x-github-event',
  'x-gitlab-event',
  'x-event-key', // Bitbucket: repo:push
  'sentry-hook-resource',
  'linear-event',
  'circleci-event-type',
  'x-shopify-topic',
  'x-discourse-event',
  'x-wc-webhook-topic',
]

function eventInHeaders(headers: Envelope['headers']): string | null {
  for (const name of EVENT_HEADERS) {
    const value = headers[name]
    if (!value) continue
    return named(name === 'x-gitlab-event' ? ofGitlab(value) : value)
  }
  return null
}

/** GitLab writes `Merge Request Hook` for what it calls merge_request everywhere else. */
function ofGitlab(value: string): string {
  return value
    .replace(/ Hook$/, '')
    .toLowerCase()
    .replaceAll(' ', '_')
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
