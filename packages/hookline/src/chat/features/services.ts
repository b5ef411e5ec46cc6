// The services, and the commands that are short for writing to them.
import { fold } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Command } from '../command.ts'
import { askService, prepareService, type Service } from '../service.ts'
import { CHANSERV } from './chanserv/chanserv.ts'
import { NICKSERV } from './nickserv/nickserv.ts'
import { PLAYBACK } from './history/playback.ts'

const services: ReadonlyMap<string, Service> = new Map(
  [CHANSERV, NICKSERV, PLAYBACK].map((service) => [fold(service.nick), service]),
)

/** Finds a service by a name that somebody typed. Nobody else can have its nick. */
export function findService(nick: string): Service | undefined {
  return services.get(fold(nick))
}

export const CS = shortFor('CS', CHANSERV)
export const NS = shortFor('NS', NICKSERV)
/** What a client sends for `/chanserv …` and `/nickserv …`. */
export const LONG_FORMS = [shortFor('CHANSERV', CHANSERV), shortFor('NICKSERV', NICKSERV)] as const

/** As ZNC's clients send it, The Lounge among them: `ZNC *playback PLAY #tea 0`. */
export const ZNC: Command = {
  name: 'ZNC',
  minParams: 2,
  when: 'registered',
  help: `ZNC ${PLAYBACK.nick} <words>: the same as PRIVMSG ${PLAYBACK.nick} :<words>`,
  prepare: (turn, { params: [name = '', ...words] }) =>
    fold(name) === PLAYBACK.nick ? prepareService(turn, PLAYBACK, words.join(' ')) : undefined,
  run(turn, { params: [name = '', ...words] }, prepared) {
    if (fold(name) !== PLAYBACK.nick) return turn.reply(numerics.ERR_NOSUCHNICK, name)
    askService(turn, PLAYBACK, words.join(' '), prepared)
  },
}

function shortFor(name: string, service: Service): Command {
  return {
    name,
    minParams: 0,
    when: 'registered',
    help: `${name} <words>: the same as PRIVMSG ${service.nick} :<words>; see: /msg ${service.nick} HELP`,
    prepare: (turn, { params }) => prepareService(turn, service, params.join(' ')),
    run(turn, { params }, prepared) {
      if (params.length === 0) return turn.reply(numerics.ERR_NEEDMOREPARAMS, name)
      askService(turn, service, params.join(' '), prepared)
    },
  }
}
