// `limits` of server.yaml.
import { z } from 'zod'
import { LONGEST_CHANNEL } from '../../irc/names.ts'
import { count, network, whole } from '../fields.ts'

export const limits = () =>
  z
    .strictObject({
      nick_length: count(32, 64).describe('NICKLEN'),
      channel_length: count(64, LONGEST_CHANNEL).describe('CHANNELLEN'),
      topic_length: count(390, 390).describe('TOPICLEN'),
      kick_length: count(390, 390).describe('KICKLEN'),
      away_length: count(200, 390).describe('AWAYLEN'),
      realname_length: count(150, 200).describe('NAMELEN'),
      username_length: count(18, 32).describe('USERLEN'),
      channel_list_modes: count(60, 1_000).describe('entries of a channel in +b, +e and +I together'),
      channels_per_user: count(100, 10_000).describe('CHANLIMIT'),
      monitor_targets: count(100, 10_000).describe('MONITOR: nicks that one connection may follow'),
      whowas_entries: count(100, 100_000).describe('departed nicks that WHOWAS knows; read at start'),
      multiline_bytes: count(4_096, 65_536).describe('draft/multiline max-bytes'),
      multiline_lines: count(32, 256).describe('draft/multiline max-lines'),
      flood_protection: z
        .boolean()
        .default(true)
        .describe('false lifts the limit on how fast clients may send'),
      flood_burst: count(20, 1_000).describe('lines that a client may send at once'),
      flood_lines_per_second: count(4, 1_000).describe('lines per second after that; the rest waits'),
      connections_per_address: count(16, 100_000).describe(
        'at once from one place; more are refused. Loopback is exempt',
      ),
      connections_per_ten_minutes: count(64, 1_000_000).describe(
        'new ones from one place; more are refused. Loopback is exempt',
      ),
      place_bits_ipv4: count(32, 32).describe('IPv4 prefix length of a place: 24 counts networks'),
      place_bits_ipv6: count(64, 128).describe('the same for IPv6, where a line usually has a /64'),
      exempt: z.array(network).default([]).describe('addresses and networks without connection limits'),
      registration_ms: milliseconds(30_000).describe('time to send NICK and USER'),
      ping_after_ms: milliseconds(90_000).describe('silence before a client is sent a PING'),
      ping_timeout_ms: milliseconds(60_000).describe('silence after that before it is disconnected'),
      send_queue_bytes: whole(65_536, 1 << 30, 4 << 20).describe(
        'unread output of one client before it is disconnected; for new connections',
      ),
    })
    .prefault({})

const milliseconds = (fallback: number) => whole(1_000, 86_400_000, fallback)
