// The capabilities that we offer. A session's set of them is one number, a bit for each.
// https://ircv3.net/specs/extensions/capability-negotiation

export const CAP = {
  'account-notify': 1 << 16,
  'account-tag': 1 << 17,
  'away-notify': 1 << 0,
  batch: 1 << 1,
  'cap-notify': 1 << 2,
  'draft/account-registration': 1 << 19,
  'draft/channel-rename': 1 << 25,
  'draft/chathistory': 1 << 20,
  'draft/event-playback': 1 << 21,
  'draft/extended-isupport': 1 << 30,
  'draft/message-redaction': 1 << 15,
  'draft/metadata-2': 1 << 24,
  'draft/metadata-3': 1 << 23,
  'draft/multiline': 1 << 3,
  'draft/pre-away': 1 << 29,
  'draft/read-marker': 1 << 22,
  'draft/relaymsg': 1 << 26,
  'echo-message': 1 << 4,
  'extended-join': 1 << 5,
  'extended-monitor': 1 << 14,
  'invite-notify': 1 << 6,
  'labeled-response': 1 << 7,
  'message-tags': 1 << 8,
  'multi-prefix': 1 << 9,
  'no-implicit-names': 1 << 31,
  sasl: 1 << 18,
  'server-time': 1 << 10,
  setname: 1 << 11,
  'soju.im/search': 1 << 27,
  'standard-replies': 1 << 12,
  'userhost-in-names': 1 << 13,
  'znc.in/playback': 1 << 28,
} as const

export type CapName = keyof typeof CAP

/** Those that decide what a line looks like; the others decide who gets it. */
export const SHAPING =
  CAP['message-tags'] |
  CAP['server-time'] |
  CAP['account-tag'] |
  CAP['extended-join'] |
  CAP['draft/multiline'] |
  CAP['draft/relaymsg'] |
  CAP.batch

/** Any of these makes room for tags in a line. */
export const TAGGED =
  CAP['message-tags'] |
  CAP['server-time'] |
  CAP['account-tag'] |
  CAP['draft/relaymsg'] |
  CAP.batch |
  CAP['labeled-response']

export function isCap(name: string): name is CapName {
  return Object.hasOwn(CAP, name)
}

/** The names in a set, in alphabetical order. */
export function capNames(caps: number): CapName[] {
  return (Object.keys(CAP) as CapName[]).filter((name) => (caps & CAP[name]) !== 0)
}
