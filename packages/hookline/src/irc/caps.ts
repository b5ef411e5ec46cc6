// The capabilities that this server offers. A session's set of them is one number, a bit for each.
// https://ircv3.net/specs/extensions/capability-negotiation

/** Full: bitwise operators work on 32 bits. */
export const CAPS = {
  'account-notify': 1 << 0,
  'account-tag': 1 << 1,
  'away-notify': 1 << 2,
  batch: 1 << 3,
  'cap-notify': 1 << 4,
  'draft/account-registration': 1 << 5,
  'draft/channel-rename': 1 << 6,
  'draft/chathistory': 1 << 7,
  'draft/event-playback': 1 << 8,
  'draft/extended-isupport': 1 << 9,
  'draft/message-redaction': 1 << 10,
  'draft/metadata-2': 1 << 11,
  'draft/metadata-3': 1 << 12,
  'draft/multiline': 1 << 13,
  'draft/pre-away': 1 << 14,
  'draft/read-marker': 1 << 15,
  'draft/relaymsg': 1 << 16,
  'echo-message': 1 << 17,
  'extended-join': 1 << 18,
  'extended-monitor': 1 << 19,
  'invite-notify': 1 << 20,
  'labeled-response': 1 << 21,
  'message-tags': 1 << 22,
  'multi-prefix': 1 << 23,
  'no-implicit-names': 1 << 24,
  sasl: 1 << 25,
  'server-time': 1 << 26,
  setname: 1 << 27,
  'soju.im/search': 1 << 28,
  'standard-replies': 1 << 29,
  'userhost-in-names': 1 << 30,
  'znc.in/playback': 1 << 31,
} as const

export type CapName = keyof typeof CAPS

/** Those that decide what a line looks like; the others decide who gets it. */
export const SHAPING =
  CAPS['message-tags'] |
  CAPS['server-time'] |
  CAPS['account-tag'] |
  CAPS['extended-join'] |
  CAPS['draft/multiline'] |
  CAPS['draft/relaymsg'] |
  CAPS.batch

/** Any of these allows tags in a line. */
export const TAGGED =
  CAPS['message-tags'] |
  CAPS['server-time'] |
  CAPS['account-tag'] |
  CAPS['draft/relaymsg'] |
  CAPS.batch |
  CAPS['labeled-response']

export function isCap(name: string): name is CapName {
  return Object.hasOwn(CAPS, name)
}

/** The names in a set, in alphabetical order. */
export function capNames(caps: number): CapName[] {
  return (Object.keys(CAPS) as CapName[]).filter((name) => (caps & CAPS[name]) !== 0)
}
