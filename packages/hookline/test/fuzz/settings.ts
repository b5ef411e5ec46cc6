// Settings that make people reach limits soon.
import type { Privilege } from '../../src/chat/rules/oper.ts'
import type { ChatSettings } from '../../src/chat/settings.ts'
import { loadConfig } from '../../src/config/config.ts'
import { findHome } from '../../src/home/home.ts'
import { chatSettings } from '../../src/config/settings.ts'
import { Chance } from './chance.ts'

/** What a server without a file has. */
export const usualSettings = withoutFile()

/** Differing from seed to seed in what changes who may do what; the rest is what a server without a file has. */
export function someSettings(seed: number): ChatSettings {
  const chance = new Chance(seed)
  const oper = (name: string, privileges: readonly Privilege[]) => ({
    name,
    passwordHash: 'hash',
    title: 'Operator',
    privileges,
  })
  return {
    ...usualSettings,
    motd: chance.isHit(50) ? ['one', 'two'] : undefined,
    passwordHash: chance.isHit(10) ? 'hash' : undefined,
    opers: [oper('ann', ['all']), oper('bob', ['kill', 'see'])],
    userModes: chance.isHit(20) ? ['i'] : [],
    metadata: chance.isHit(90)
      ? { beforeConnect: chance.isHit(50), maxKeys: 2, maxSubs: 2, maxValueBytes: 240, changesPerMinute: 30 }
      : undefined,
    hasRoleplay: chance.isHit(50),
    limits: {
      ...usualSettings.limits,
      channelListModes: 6,
      channelsPerUser: chance.isHit(50) ? 3 : 100,
      monitorTargets: 4,
      whowasEntries: 10,
      multilineBytes: 2_000,
      multilineLines: 4,
      flood: chance.isHit(20) ? { burst: 20, perSecond: 10 } : undefined,
      sendQueueBytes: 1 << 16,
    },
  }
}

function withoutFile(): ChatSettings {
  const read = loadConfig({
    home: findHome({ HOOKLINE_HOME: '/nowhere' }),
    flags: { name: 'spark' },
    env: {},
  })
  if (!read.ok) throw new Error('a server needs no file')
  return chatSettings(read.config, '0')
}
