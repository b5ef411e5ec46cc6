// Lists of channels as people write them.
import { channelKey } from '../../irc/names.ts'

/** `#Builds` and `#builds` are one channel: it is listed once, as it was first written. */
export function withoutRepeats(channels: readonly string[]): string[] {
  const keys = new Set<string>()
  return channels.filter((name) => {
    const isNew = !keys.has(channelKey(name))
    keys.add(channelKey(name))
    return isNew
  })
}
