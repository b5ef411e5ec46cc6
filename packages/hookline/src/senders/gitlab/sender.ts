// GitLab. https://docs.gitlab.com/user/project/integrations/webhooks
import { sender, usual } from '../sender.ts'
import { standardScheme } from '../signed.ts'

const setup = {
  name: 'GitLab',
  page: 'Settings > Webhooks > Add new webhook',
  url: 'URL',
  events: ['Trigger', 'each event that the bot is to report'],
} as const

// The header says Job Hook for a build; member events have no `object_kind`.
const KINDS: Readonly<Record<string, string>> = { build: 'job' }

/** `merge_request` → `Merge Request` */
function titled(kind: string): string {
  return kind.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

export default sender({
  event: {
    header: 'x-gitlab-event',
    // `Merge Request Hook` is what it calls merge_request everywhere else.
    read: (value) =>
      value
        .replace(/ Hook$/, '')
        .toLowerCase()
        .replaceAll(' ', '_'),
    write: ({ object_kind: kind = 'member' }) => `${titled(KINDS[String(kind)] ?? String(kind))} Hook`,
  },
  proofs: {
    gitlab: {
      ...usual('X-Gitlab-Token, the secret itself'),
      schemes: [{ kind: 'token', headers: ['x-gitlab-token'] }],
      // Hooks that other hooks trigger share the event's UUID, but their bodies differ.
      id: { headers: ['idempotency-key', 'x-gitlab-event-uuid'] },
      setup: { ...setup, secret: 'Secret token' },
    },
    'gitlab-signing': {
      ...usual('webhook-signature, from a signing token'),
      secret: 'base64',
      takes: ['tolerance'],
      // gitlab.com/gitlab-org/gitlab, merge request 230944.
      schemes: [standardScheme('webhook')],
      id: { headers: ['webhook-id'], isUnique: true },
      setup: { ...setup, secret: 'Signing token' },
    },
  },
})
