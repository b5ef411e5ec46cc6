// Settings under which people meet limits soon.
import type { ChatSettings } from '../../src/chat/settings.ts'
import { Chance } from './chance.ts'

/** Differing from seed to seed in what changes who may do what. */
export function someSettings(seed: number): ChatSettings {
  const chance = new Chance(seed)
  const oper = (name: string, privileges: readonly string[]) => ({
    name,
    passwordHash: 'hash',
    title: 'Operator',
    privileges,
  })
  return {
    name: 'spark',
    network: 'Spark',
    description: 'a test',
    version: '0',
    motd: chance.isHit(50) ? ['one', 'two'] : undefined,
    admin: { location: 'here', email: 'nobody@example.org' },
    passwordHash: chance.isHit(10) ? 'hash' : undefined,
    opers: [oper('ann', ['all']), oper('bob', ['kill', 'see'])],
    userModes: chance.isHit(20) ? ['i'] : [],
    channelFlags: ['n', 't'],
    limits: {
      nickLength: 32,
      channelLength: 64,
      topicLength: 390,
      kickLength: 390,
      awayLength: 200,
      realnameLength: 150,
      usernameLength: 18,
      channelListModes: 6,
      channelsPerUser: chance.isHit(50) ? 3 : 100,
      monitorTargets: 4,
      whowasEntries: 10,
      multilineBytes: 2_000,
      multilineLines: 4,
      flood: chance.isHit(20) ? { burst: 20, perSecond: 10 } : undefined,
      registrationMs: 30_000,
      pingAfterMs: 90_000,
      pingTimeoutMs: 60_000,
      sendQueueBytes: 1 << 16,
    },
  }
}
