// What every client does here, one after the other.
import { BOT, type Place } from './place.ts'

export interface Guest {
  /** Says it in #builds. */
  readonly say: (text: string) => Promise<void>
  /** Once the person at the client can read it there. */
  readonly hears: (nick: string, text: string) => Promise<void>
  /** For one that does not come back by itself: what the person types. */
  readonly comesBack?: () => Promise<void>
}

/** Joins, logs in, chats both ways, sees what a webhook said, and learns what was said while its connection was broken. */
export async function visit(place: Place, arrive: () => Promise<Guest>): Promise<Guest> {
  const { bob, cables } = place
  // extended-join and account-tag: what follows the channel, and the tag, is the account.
  const joins = /^(@\S+ )?:ann!\S+ JOIN #builds ann /
  const says = (text: string) => new RegExp(`^@account=ann :ann!\\S+ PRIVMSG #builds :${text}$`)
  const guest = await arrive()
  await bob.until(joins)
  bob.type('PRIVMSG #builds :the kettle is on ☕')
  await guest.hears('bob', 'the kettle is on ☕')
  await guest.say('two cups please ☕')
  await bob.until(says('two cups please ☕'))
  await place.build('success')
  await guest.hears(BOT, 'build: success')

  cables.pull()
  await bob.until(/ann!\S+ QUIT /)
  bob.type('PRIVMSG #builds :there are biscuits too')
  await bob.settle()
  await place.build('failure')
  cables.putBack()
  await guest.comesBack?.()
  await bob.until(joins)
  await guest.hears('bob', 'there are biscuits too')
  await guest.hears(BOT, 'build: failure')
  await guest.say('one for me please')
  await bob.until(says('one for me please'))
  return guest
}
