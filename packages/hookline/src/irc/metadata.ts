// Keys and values of METADATA: what is a key, and how long both may be.
// https://ircv3.net/specs/extensions/metadata

/** Bytes of a key. */
export const KEY_BYTES = 64

/** "Key names are restricted to the ranges a-z, 0-9, and _./-" */
export function isMetadataKey(text: string): boolean {
  return text.length <= KEY_BYTES && /^[a-z0-9_./-]+$/.test(text)
}

/** Bytes that a value may have in a 761 whatever the names in it; a bot's nick has 64. */
export function valueRoom(names: { server: string; nickLength: number; channelLength: number }): number {
  const target = Math.max(names.nickLength, names.channelLength, 64)
  return 512 - 2 - `:${names.server} 761  `.length - names.nickLength - target - KEY_BYTES - '  * :'.length
}
