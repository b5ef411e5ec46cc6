// Forgejo. https://forgejo.org/docs/latest/user/webhooks
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  event: { header: 'x-forgejo-event', also: 'gitea' },
  proofs: {
    forgejo: {
      ...usual('X-Forgejo-Signature'),
      schemes: [{ ...bodySigned, header: 'x-forgejo-signature' }],
      id: { headers: ['x-forgejo-delivery', 'x-gitea-delivery'], isUnique: true },
      setup: {
        name: 'Forgejo',
        page: 'Settings > Webhooks > Add webhook > Forgejo',
        url: 'Target URL',
        secret: 'Secret',
        events: ['Trigger on', 'All events'],
      },
    },
  },
})
