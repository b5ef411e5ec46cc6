// NickServ SET: what people choose for their account.
import { accountKey } from '../../../irc/names.ts'
import type { Changed } from '../../accounts.ts'
import { alwaysOnForAll } from '../../rules/attach.ts'
import type { ServiceTurn, Verb } from '../../service.ts'
import { type AccountSettings, findAccount } from '../../state.ts'

export const SET: Verb<Changed | undefined> = {
  name: 'SET',
  usage:
    'SET [PASSWORD <new> | EMAIL <address>|NONE | MULTICLIENT ON|OFF | ALWAYS-ON ON|OFF | AUTOREPLAY-LINES <number>]',
  help: 'changes a setting of your account; without one, shows your settings',
  minWords: 0,
  needsAccount: true,
  refusesTokens: ([setting = '']) => ['PASSWORD', 'EMAIL'].includes(setting.toUpperCase()),
  prepare({ chat, account }, [setting = '', value, ...more]) {
    // Only part of a password with spaces would be kept, and nobody would know which.
    if (value === undefined || more.length > 0) return undefined
    switch (setting.toUpperCase()) {
      case 'PASSWORD':
        return chat.world.accounts.setPassword(account, value)
      case 'EMAIL':
        return chat.world.accounts.setEmail(account, value.toUpperCase() === 'NONE' ? null : value)
      default:
        return undefined
    }
  },
  run(turn, [setting = '', value = '', ...more], changed) {
    if (more.length > 0)
      return turn.tell(`The value must be one word, without spaces: /msg NickServ ${SET.usage}`)
    if (changed !== undefined)
      return turn.tell(changed.ok ? `${setting.toUpperCase()} has been changed` : changed.text)
    switch (setting.toUpperCase()) {
      case 'MULTICLIENT':
        return choose(turn, 'multiclient', value)
      case 'ALWAYS-ON':
        return choose(turn, 'alwaysOn', value)
      case 'AUTOREPLAY-LINES':
        return chooseLines(turn, value)
      case '':
        return showChoices(turn)
      default:
        turn.tell(`Usage: /msg NickServ ${SET.usage}`)
    }
  },
}

/** How each is named in answers. */
const NAMES = { multiclient: 'MULTICLIENT', alwaysOn: 'ALWAYS-ON' } as const

type Choice = keyof typeof NAMES

function choose(turn: ServiceTurn, choice: Choice, value: string): void {
  const { account, tell, propose } = turn
  const fixed = fixedFor(turn, choice)
  if (fixed !== undefined) return tell(fixed)
  const isOn = SWITCH.get(value.toUpperCase())
  if (isOn === undefined)
    return tell(`${NAMES[choice]} can be ON or OFF: /msg NickServ SET ${NAMES[choice]} ON`)
  const settings: AccountSettings = choice === 'multiclient' ? { multiclient: isOn } : { alwaysOn: isOn }
  propose({ kind: 'account.changed', account: accountKey(account), settings })
  tell(`${NAMES[choice]} is ${onOrOff(isOn)}`)
}

/** The answer if the server leaves nobody this choice. */
function fixedFor({ chat }: ServiceTurn, choice: Choice): string | undefined {
  const isOn = choice === 'alwaysOn' ? alwaysOnForAll(chat.settings) : undefined
  return isOn === undefined ? undefined : `${NAMES[choice]} is ${onOrOff(isOn)} for everyone on this server`
}

/** How many lines a client that cannot ask for history is sent at each JOIN. */
function chooseLines({ chat, account, tell, propose }: ServiceTurn, value: string): void {
  const most = chat.settings.history.playbackLimit
  const autoreplayLines = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN
  if (!(autoreplayLines <= most)) return tell(`AUTOREPLAY-LINES must be a number from 0 to ${most}`)
  propose({ kind: 'account.changed', account: accountKey(account), settings: { autoreplayLines } })
  tell(`AUTOREPLAY-LINES is ${autoreplayLines}`)
}

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['ON', true],
  ['TRUE', true],
  ['YES', true],
  ['OFF', false],
  ['FALSE', false],
  ['NO', false],
])

function showChoices(turn: ServiceTurn): void {
  const { state, account, tell } = turn
  const settings = findAccount(state, account)?.settings ?? {}
  for (const choice of Object.keys(NAMES) as Choice[]) {
    const value = settings[choice]
    tell(fixedFor(turn, choice) ?? `${NAMES[choice]} is ${value === undefined ? NOT_SET : onOrOff(value)}`)
  }
  tell(`AUTOREPLAY-LINES is ${settings.autoreplayLines ?? NOT_SET}`)
}

const NOT_SET = 'not set (server default)'

function onOrOff(isOn: boolean): string {
  return isOn ? 'ON' : 'OFF'
}
