// Sentry. https://docs.sentry.io/organization/integrations/integration-platform/webhooks
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  event: { header: 'sentry-hook-resource' },
  proofs: {
    sentry: {
      ...usual('Sentry-Hook-Signature'),
      madeBy: 'sender',
      // Sentry-Hook-Timestamp is not signed.
      schemes: [{ ...bodySigned, header: 'sentry-hook-signature' }],
      id: { headers: ['request-id'], isCommon: true },
      setup: {
        name: 'Sentry',
        page: 'Settings > Developer Settings > your integration',
        url: 'Webhook URL',
        secret: 'Client Secret',
      },
    },
  },
})
