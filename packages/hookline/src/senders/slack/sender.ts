// Slack. https://docs.slack.dev/authentication/verifying-requests-from-slack
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  proofs: {
    slack: {
      ...usual('X-Slack-Signature'),
      madeBy: 'sender',
      takes: ['tolerance'],
      schemes: [
        {
          ...bodySigned,
          header: 'x-slack-signature',
          prefix: 'v0=',
          signed: 'v0:{ts}:{body}',
          timestamp: { in: 'header', name: 'x-slack-request-timestamp', unit: 's' },
        },
      ],
      // docs.slack.dev/apis/events-api: event_id is globally unique.
      id: { field: 'event_id', isUnique: true },
      setup: {
        name: 'Slack',
        page: 'your app > Basic Information; the URL under Event Subscriptions',
        url: 'Request URL',
        secret: 'Signing Secret',
      },
    },
  },
  setup: {
    with: 'url',
    name: 'whatever posts to Slack',
    page: 'in place of the address of an incoming webhook',
  },
})
