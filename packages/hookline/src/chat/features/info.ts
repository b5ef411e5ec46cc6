// VERSION, TIME, INFO, ADMIN, STATS and LINKS: what this server is.
import * as numerics from '../../irc/numerics.ts'
import { unixSeconds } from '../../irc/time.ts'
import type { Command } from '../command.ts'
import { mayUse } from '../rules/oper.ts'
import { tellIsupport } from './isupport.ts'
import { namesThisServer } from './thisserver.ts'

export const VERSION: Command = {
  name: 'VERSION',
  minParams: 0,
  when: 'registered',
  help: "VERSION: shows the server's version and what it supports",
  run(turn, { params: [server] }) {
    if (!namesThisServer(turn, server)) return
    const { name, version } = turn.chat.settings
    turn.reply(numerics.RPL_VERSION, `hookline-${version}`, name, 'a chat server with webhook bots')
    tellIsupport(turn.chat, turn.session)
  },
}

export const TIME: Command = {
  name: 'TIME',
  minParams: 0,
  when: 'registered',
  help: "TIME: shows the server's time",
  run(turn, { params: [server] }) {
    if (!namesThisServer(turn, server)) return
    const now = turn.chat.world.now()
    turn.reply(numerics.RPL_TIME, turn.chat.settings.name, unixSeconds(now), '0', new Date(now).toISOString())
  },
}

export const INFO: Command = {
  name: 'INFO',
  minParams: 0,
  when: 'registered',
  help: 'INFO: describes this server',
  run(turn, { params: [server] }) {
    if (!namesThisServer(turn, server)) return
    const { version } = turn.chat.settings
    turn.reply(
      numerics.RPL_INFO,
      `Hookline ${version}: chat for people and agents, with webhook bots built in`,
    )
    turn.reply(numerics.RPL_INFO, `Running since ${new Date(turn.chat.startedAt).toISOString()}`)
    turn.reply(numerics.RPL_ENDOFINFO)
  },
}

export const ADMIN: Command = {
  name: 'ADMIN',
  minParams: 0,
  when: 'registered',
  help: 'ADMIN: shows who runs this server',
  run(turn, { params: [server] }) {
    if (!namesThisServer(turn, server)) return
    const { name, description, admin } = turn.chat.settings
    turn.reply(numerics.RPL_ADMINME, name)
    turn.reply(numerics.RPL_ADMINLOC1, description)
    turn.reply(numerics.RPL_ADMINLOC2, admin.location)
    turn.reply(numerics.RPL_ADMINEMAIL, admin.email)
  },
}

export const STATS: Command = {
  name: 'STATS',
  minParams: 1,
  when: 'registered',
  help: 'STATS u: shows how long the server has been running; STATS p: lists the server operators who are here; STATS o: lists who may become one (server operators)',
  run(turn, { params: [query = '', server] }) {
    const { chat, user, reply } = turn
    if (!namesThisServer(turn, server)) return
    if (query === 'u') reply(numerics.RPL_STATSUPTIME, `Server Up ${uptime(chat.world.elapsed())}`)
    if (query === 'p')
      for (const { nick, oper } of chat.state.users.values())
        if (oper !== undefined) reply(numerics.RPL_STATSDEBUG, 'p', `${nick} ${oper.title}`)
    if (query === 'o' && mayUse(user, 'see'))
      for (const { name, title } of chat.settings.opers)
        reply(numerics.RPL_STATSOLINE, 'O', '*', '*', name, title)
    reply(numerics.RPL_ENDOFSTATS, query)
  },
}

/** Formats milliseconds: `3 days 4:05:06`. */
function uptime(ms: number): string {
  const days = Math.floor(ms / 86_400_000)
  const hours = Math.floor(ms / 3_600_000) % 24
  const minutesAndSeconds = new Date(ms % 3_600_000).toISOString().slice(14, 19)
  return `${days} days ${hours}:${minutesAndSeconds}`
}

export const LINKS: Command = {
  name: 'LINKS',
  minParams: 0,
  when: 'registered',
  help: 'LINKS: lists the servers of this network (server operators)',
  run({ chat, user, reply }) {
    const { name, description } = chat.settings
    // As on most networks, only those who run it are told how it is built.
    if (mayUse(user, 'see')) reply(numerics.RPL_LINKS, name, name, `0 ${description}`)
    reply(numerics.RPL_ENDOFLINKS, '*')
  },
}
