// CloudEvents.
import { sender } from '../sender.ts'

export default sender({
  // CloudEvents 1.0, section 3.1: source and id together are unique; in headers in binary mode, in the body in structured mode.
  uniqueId: (headers, { specversion, source, id }) =>
    joined(headers['ce-source'], headers['ce-id']) ?? (isText(specversion) ? joined(source, id) : undefined),
  setup: {
    with: 'token',
    name: 'the sender',
    page: 'its sinks or subscriptions',
    url: 'URL',
    secret: 'Authorization header',
    secretAs: (secret) => `Bearer ${secret}`,
  },
})

function joined(source: unknown, id: unknown): string | undefined {
  return isText(source) && isText(id) ? `${source} ${id}` : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
