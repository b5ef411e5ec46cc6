// PagerDuty. https://developer.pagerduty.com/docs/verifying-webhook-signatures
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  proofs: {
    pagerduty: {
      ...usual('X-PagerDuty-Signature'),
      madeBy: 'sender',
      schemes: [{ ...bodySigned, header: 'x-pagerduty-signature', prefix: 'v1=', separator: ',' }],
      id: { headers: ['x-webhook-id'], isCommon: true },
      setup: {
        name: 'PagerDuty',
        page: 'Integrations > Generic Webhooks (v3)',
        url: 'Webhook URL',
        secret: 'secret, shown once when the webhook is saved',
      },
    },
  },
})
