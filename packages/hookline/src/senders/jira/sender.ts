// Jira. https://developer.atlassian.com/cloud/jira/platform/webhooks: secured admin webhooks
import { sender, usual } from '../sender.ts'
import { bodySigned } from '../signed.ts'

export default sender({
  proofs: {
    jira: {
      ...usual('X-Hub-Signature'),
      schemes: [{ ...bodySigned, header: 'x-hub-signature', prefix: 'sha256=' }],
      id: { headers: ['x-atlassian-webhook-identifier'], isUnique: true },
      setup: { name: 'Jira', page: 'System > WebHooks > Create a WebHook', url: 'URL', secret: 'Secret' },
    },
  },
})
