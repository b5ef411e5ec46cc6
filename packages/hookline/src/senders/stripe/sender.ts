// Stripe. https://docs.stripe.com/webhooks/signature
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  proofs: {
    stripe: {
      ...usual('Stripe-Signature'),
      madeBy: 'sender',
      takes: ['tolerance'],
      // The key is the whole `whsec_…`, as text.
      schemes: [
        {
          ...bodySigned,
          header: 'stripe-signature',
          separator: ',',
          prefix: 'v1=',
          signed: '{ts}.{body}',
          timestamp: { in: 'field', name: 't', unit: 's' },
        },
      ],
      // docs.stripe.com/webhooks: log the ids of events; a later attempt counts other `pending_webhooks`.
      id: { field: 'id', isUnique: true },
      setup: {
        name: 'Stripe',
        page: 'Workbench > Webhooks > Add destination',
        url: 'Endpoint URL',
        secret: 'Signing secret',
      },
    },
  },
})
