// METADATA keys and values: what a valid key is, and how long both may be.
// https://ircv3.net/specs/extensions/metadata
import { BODY_BYTES } from './message.ts'

/** Most bytes in a key. */
export const KEY_BYTES = 64

/** "Key names are restricted to the ranges a-z, 0-9, and _./-" */
export function isMetadataKey(text: string): boolean {
  return text.length <= KEY_BYTES && /^[a-z0-9_./-]+$/.test(text)
}

/** Bytes left for a value in a 761 with the longest names; a bot's nick may have 64. */
export function valueRoom(names: { server: string; nickLength: number; channelLength: number }): number {
  const target = Math.max(names.nickLength, names.channelLength, 64)
  return BODY_BYTES - `:${names.server} 761  `.length - names.nickLength - target - KEY_BYTES - '  * :'.length
}
