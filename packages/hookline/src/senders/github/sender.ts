// GitHub. https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

/** What most teams want to read; all events together would tell one thing in several lines. */
export const GITHUB_EVENTS: readonly (readonly [event: string, label: string])[] = [
  ['push', 'Pushes'],
  ['pull_request', 'Pull requests'],
  ['pull_request_review', 'Pull request reviews'],
  ['issues', 'Issues'],
  ['issue_comment', 'Issue comments'],
  ['release', 'Releases'],
  ['workflow_run', 'Workflow runs'],
]

export default sender({
  event: { header: 'x-github-event' },
  proofs: {
    github: {
      ...usual('X-Hub-Signature-256'),
      // The older SHA-1 header is not accepted.
      schemes: [{ ...bodySigned, header: 'x-hub-signature-256', prefix: 'sha256=' }],
      id: { headers: ['x-github-delivery'], isUnique: true },
      setup: {
        name: 'GitHub',
        page: 'Settings > Webhooks > Add webhook',
        url: 'Payload URL',
        secret: 'Secret',
        more: [['Content type', 'application/json']],
        events: [
          'Which events',
          `Let me select individual events: ${GITHUB_EVENTS.map(([, label]) => label).join(', ')}`,
        ],
      },
    },
  },
})
