// A remote user: on a server that trusts a proxy on loopback, the test is that proxy.
import { Person } from './person.ts'

/** Settings under which it works. */
export const TRUSTING = 'trusted_proxies: [127.0.0.1]'

/** Connected, with nothing sent yet. */
export async function come(port: number, address: string): Promise<Person> {
  const person = await Person.connect(port)
  const [family, here] = address.includes(':') ? ['TCP6', '::1'] : ['TCP4', '127.0.0.1']
  person.type(`PROXY ${family} ${address} ${here} 5 6`)
  return person
}

/** Registered, with the welcome read. */
export async function visit(port: number, address: string, nick: string): Promise<Person> {
  const person = await come(port, address)
  person.type(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`)
  await person.until(/ (376|422) /)
  await person.settle()
  return person
}
