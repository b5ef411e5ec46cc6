// CircleCI. https://circleci.com/docs/outbound-webhooks
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  event: { header: 'circleci-event-type', write: ({ type = '' }) => String(type) },
  proofs: {
    circleci: {
      ...usual('circleci-signature'),
      schemes: [{ ...bodySigned, header: 'circleci-signature', prefix: 'v1=', separator: ',' }],
      id: { field: 'id', isUnique: true },
      setup: {
        name: 'CircleCI',
        page: 'Project Settings > Webhooks > Add Webhook',
        url: 'Receiver URL',
        secret: 'Secret token',
      },
    },
  },
})
