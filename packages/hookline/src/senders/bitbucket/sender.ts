// Bitbucket, Cloud and Data Center. https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  event: { header: 'x-event-key' }, // repo:push
  proofs: {
    bitbucket: {
      ...usual('X-Hub-Signature'),
      schemes: [{ ...bodySigned, header: 'x-hub-signature', prefix: 'sha256=' }],
      // Cloud's; it counts attempts in another header.
      id: { headers: ['x-request-uuid'], isUnique: true, isCommon: true },
      setup: {
        name: 'Bitbucket',
        page: 'Repository settings > Webhooks > Add webhook',
        url: 'URL',
        secret: 'Secret',
      },
    },
  },
})
