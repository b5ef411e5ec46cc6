// Standard Webhooks, which many services send. github.com/standard-webhooks/standard-webhooks; https://docs.svix.com/receiving/verifying-payloads/how-manual
import { sender, usual } from '../sender.ts'
import { standardScheme } from '../signed.ts'

export default sender({
  proofs: {
    standard: {
      ...usual('webhook-signature or svix-signature'),
      secret: 'base64',
      takes: ['tolerance'],
      schemes: [standardScheme('webhook'), standardScheme('svix')],
      id: { headers: ['webhook-id', 'svix-id'], isUnique: true },
      setup: {
        name: 'the sender',
        page: 'its webhook endpoints',
        url: 'Endpoint URL',
        secret: 'Signing secret',
      },
    },
  },
})
