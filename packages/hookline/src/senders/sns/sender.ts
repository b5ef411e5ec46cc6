// Amazon SNS.
import { sender } from '../sender.ts'

export default sender({
  // docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
  uniqueId: ({ 'x-amz-sns-message-id': id }) => (typeof id === 'string' && id !== '' ? id : undefined),
  setup: {
    with: 'url',
    name: 'Amazon SNS',
    page: 'your topic > Create subscription > HTTPS',
  },
})
