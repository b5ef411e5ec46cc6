// Linear. https://linear.app/developers/webhooks
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  event: { header: 'linear-event', write: ({ type = '' }) => String(type) },
  proofs: {
    linear: {
      ...usual('Linear-Signature'),
      madeBy: 'sender',
      takes: ['tolerance'],
      schemes: [
        {
          ...bodySigned,
          header: 'linear-signature',
          timestamp: { in: 'body', name: 'webhookTimestamp', unit: 'ms' },
          tolerance: 60,
        },
      ],
      id: { headers: ['linear-delivery'], isUnique: true },
      setup: { name: 'Linear', page: 'Settings > API > Webhooks', url: 'URL', secret: 'Signing secret' },
    },
  },
})
