// Gitea. https://docs.gitea.com/usage/webhooks; go-gitea/gitea, services/webhook/deliver.go
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  event: { header: 'x-gitea-event', also: 'gogs' },
  proofs: {
    gitea: {
      ...usual('X-Gitea-Signature'),
      schemes: [{ ...bodySigned, header: 'x-gitea-signature' }],
      id: { headers: ['x-gitea-delivery'], isUnique: true },
      setup: {
        name: 'Gitea',
        page: 'Settings > Webhooks > Add Webhook > Gitea',
        url: 'Target URL',
        secret: 'Secret',
        events: ['Trigger On', 'All Events'],
      },
    },
  },
})
