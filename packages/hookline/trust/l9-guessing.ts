// L9: guessing passwords. Whoever guesses learns little and costs little, and nobody else waits for them.
import { setTimeout as after } from 'node:timers/promises'
import { writeFileSync } from 'node:fs'
import { startCommand } from '../test/command.ts'
import { outputOf } from '../test/control.ts'
import { newHome } from '../test/crew.ts'
import { Person } from '../test/person.ts'
import { figure } from './figure.ts'
import { percentile } from './numbers.ts'

const PASSWORD = 'a kettle of tea'
const LIMITS = 'limits: {connections_per_address: 10000, connections_per_ten_minutes: 1000000}\n'
const PROXY = `server: {trusted_proxies: [127.0.0.1]}\n${LIMITS}`
/** For the comparison, which needs many guesses to be looked at. */
const LENIENT = `${PROXY}accounts: {failures_per_minute: 1000, failures_per_hour: 100000, failures_per_address: 100000}\n`
const PER_MINUTE = 2_000
const ADDRESSES = 50

export default figure({
  id: 'L9',
  promise:
    'Guesses at passwords are slowed down from one address and from many, nobody else waits, and names are not told apart',
  goal: 'from 1 address at 2,000 a minute at most 3 looked at in a minute, from 50 at most 10 an hour; logins of others p99 < 500 ms; known and unknown names: |t| < 4.5',
  small: { seconds: 10, compared: 80 },
  whole: { seconds: 60, compared: 600 },
  isTimed: true,
  async measure({ seconds, compared }) {
    const { fromOne, fromMany, guesses, logins, calm: before } = await underAttack(seconds)
    const { t, sameAnswer } = await knownAgainstUnknown(compared)
    const p99 = percentile(logins, 99)
    return {
      figure: `${fromOne} and ${fromMany} of ${guesses} guesses in ${seconds} s looked at; ${logins.length} logins of others p99 ${p99.toFixed(0)} ms (${percentile(before, 99).toFixed(0)} before); t = ${t.toFixed(1)}${sameAnswer ? '' : ', other answers'}`,
      isSound: fromOne <= 3 && fromMany <= 10 && sameAnswer,
      isMet: fromOne <= 3 && fromMany <= 10 && p99 < 500 && Math.abs(t) < 4.5 && sameAnswer,
    }
  },
})

async function underAttack(seconds: number) {
  const home = newHome()
  writeFileSync(home.config, PROXY)
  await using server = await startCommand(home)
  for (const name of ['ann', 'bob', 'carol'])
    await outputOf(home, 'account create', { name, password: PASSWORD })
  const seen = { fromOne: 0, fromMany: 0, guesses: 0, logins: [] as number[], calm: [] as number[] }
  const pace = 60_000 / PER_MINUTE
  let end = 0
  const one = async (): Promise<void> => {
    if ((await guess(server.ircPort, '192.0.2.1', 'ann', 'no')).isLooked) seen.fromOne++
  }
  const many = async (n: number): Promise<void> => {
    const address = `198.51.100.${1 + (n % ADDRESSES)}`
    if ((await guess(server.ircPort, address, 'bob', 'no')).isLooked) seen.fromMany++
  }
  const started: Promise<void>[] = []
  const attack = async (): Promise<void> => {
    for (let n = 0; performance.now() < end; n++) {
      started.push(one(), many(n))
      seen.guesses += 2
      await after(pace)
    }
  }
  const others = async (): Promise<void> => {
    for (let n = 0; performance.now() < end; n++) {
      seen.logins.push(await login(server.ircPort, n))
      await after(100)
    }
  }
  for (let n = 0; n < 20; n++) seen.calm.push(await login(server.ircPort, n))
  end = performance.now() + seconds * 1_000
  await Promise.all([attack(), others()])
  await Promise.all(started)
  await server.stop()
  return seen
}

/** How long it takes somebody with the right password, in ms. */
async function login(port: number, n: number): Promise<number> {
  const began = performance.now()
  const { line } = await guess(port, `203.0.113.${n % 250}`, 'carol', PASSWORD)
  // Hung up on counts as the time that it took.
  if (line.includes(' 904 ')) throw new Error(`somebody with the right password was refused: ${line}`)
  return performance.now() - began
}

/** By Welch: how far the two times are apart, in their own scatter. */
async function knownAgainstUnknown(count: number): Promise<{ t: number; sameAnswer: boolean }> {
  const home = newHome()
  writeFileSync(home.config, LENIENT)
  await using server = await startCommand(home)
  await outputOf(home, 'account create', { name: 'ann', password: PASSWORD })
  const times = { ann: [] as number[], eve: [] as number[] }
  const answers = new Set<string>()
  for (let n = 0; n < 2 * count; n++) {
    // Not always in the same order: what comes first may pay for what came before.
    const name = (n + Math.floor(n / 2)) % 2 === 0 ? 'ann' : 'eve'
    const began = performance.now()
    const { line } = await guess(server.ircPort, `198.51.${Math.floor(n / 250)}.${n % 250}`, name, 'no')
    times[name].push(performance.now() - began)
    answers.add(line)
  }
  await server.stop()
  return { t: welch(calm(times.ann), calm(times.eve)), sameAnswer: answers.size === 1 }
}

/** Without the slowest tenth: those waited for something else on this machine. */
function calm(times: readonly number[]): readonly number[] {
  const most = percentile(times, 90)
  return times.filter((time) => time <= most)
}

function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length
  const error = (all: readonly number[]) =>
    all.reduce((sum, each) => sum + (each - mean(all)) ** 2, 0) / (all.length - 1) / all.length
  return (mean(a) - mean(b)) / Math.sqrt(error(a) + error(b))
}

/** By SASL PLAIN, on a connection of its own. */
async function guess(port: number, address: string, name: string, password: string) {
  using person = await Person.connect(port)
  person.type(`PROXY TCP4 ${address} 127.0.0.1 5000 6667`, 'AUTHENTICATE PLAIN')
  const first = await person.until(/AUTHENTICATE \+$|^ERROR /)
  if (first.startsWith('ERROR')) throw new Error(`${address} was told ${first}`)
  person.type(`AUTHENTICATE ${Buffer.from(`\0${name}\0${password}`).toString('base64')}`)
  const line = await person.until(/ 90[34] /).catch(() => 'hung up')
  return { line, isLooked: line.includes('wrong account or password') }
}
