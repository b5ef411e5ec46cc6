// `webhooks` and `handlers` of server.yaml.
import { z } from 'zod'
import { rate } from '../../bots/file/duration.ts'
import { count, host, hostName, port, whole } from '../fields.ts'

export const webhooks = () =>
  z
    .strictObject({
      enabled: z.boolean().default(true),
      host: host.default('127.0.0.1'),
      port: port.default(7680),
      max_body_bytes: whole(1_024, 25 << 20, 1 << 20).describe('larger bodies answer 413'),
      max_lines: count(10, 100).describe('lines of one delivery that are shown'),
      answer_within_ms: whole(100, 600_000, 5_000).describe(
        'a sender that waits this long for a handler gets 202; GitHub hangs up after 10 s, Slack after 3',
      ),
      rate: rate
        .nullish()
        .describe('deliveries that each bot accepts, unless its trigger.rate says otherwise: 600/1m'),
      keep_days: count(7, 366).describe('how long deliveries are kept, and duplicates recognised'),
      keep_megabytes: count(1_024, 1 << 20).describe(
        'for all bodies and texts as stored on disk; beyond it the oldest are deleted',
      ),
      allowed_hosts: z.array(hostName).default([]).describe('names accepted in Host:, besides our addresses'),
    })
    .prefault({})

export const handlers = () =>
  z
    .strictObject({
      timeout_ms: whole(100, 600_000, 10_000).describe('per call of a handler'),
      max_warm: count(32, 10_000).describe(
        'handler processes kept for the next call, of all bots; beyond it the least recently used is stopped, and its next call starts it again with its bot.state',
      ),
      isolation: z
        .enum(['auto', 'required', 'none'])
        .default('auto')
        .describe(
          'auto: each handler in its own Linux namespaces where the system allows it, else a warning; required: a handler that is not isolated (handler: in its bot.yaml) does not run',
        ),
    })
    .prefault({})
