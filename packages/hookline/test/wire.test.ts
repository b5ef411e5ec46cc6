// Misbehaving connections: their deadlines, their pace, what they do not read, and what no client would send.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { KETTLE } from './operator.ts'
import { Person } from './person.ts'
import { startRig, UNLIMITED } from './rig.ts'
import { checkLines, hostileLine, randomFrom, Stranger } from './stranger.ts'

test('a connection that does not register in time is closed; a silent one is pinged, and closed without an answer', async () => {
  const limits =
    '{flood_protection: false, registration_ms: 3000, ping_after_ms: 3000, ping_timeout_ms: 5000}'
  await using rig = await startRig({ config: `limits: ${limits}\nlogging: {level: error}\n` })
  using nobody = await Person.connect(rig.ircPort)
  nobody.type('NICK nobody')
  using ann = await Person.join(rig.ircPort, 'ann')
  using bob = await Person.join(rig.ircPort, 'bob', { channels: '#tea' })
  ann.type('JOIN #tea')
  await ann.settle()

  // Bob answers as long as Ann is there; every answer counts as activity.
  const stayed = (async () => {
    for (;;) {
      const line = await bob.until(/PING|QUIT/)
      if (line.includes('QUIT')) return line
      bob.type('PONG spark')
    }
  })()
  assert.deepEqual(await nobody.gone(), ['ERROR :Registration timed out'])
  assert.equal(await ann.until(/PING/), 'PING :spark')
  assert.match((await ann.gone()).join(), /^ERROR :Ping timeout: \d+ seconds$/)
  assert.match(await stayed, /^:ann!ann@127\.0\.0\.1 QUIT :Ping timeout: \d+ seconds$/)
  bob.type('PING here')
  assert.match(await bob.until(/PONG/), /here$/)
})

test('beyond its burst a client is read at its rate: every line arrives, in order, and others are not held up', async () => {
  const config = 'limits: {flood_burst: 10, flood_lines_per_second: 10}\nlogging: {level: error}\n'
  await using rig = await startRig({ config })
  using ann = await Person.join(rig.ircPort, 'ann')
  using bob = await Person.join(rig.ircPort, 'bob')
  using carol = await Person.join(rig.ircPort, 'carol')
  ann.type(...Array.from({ length: 30 }, (_, i) => `PRIVMSG bob :${i}`))
  const heard = [(await bob.next())?.split(':').at(-1)]
  carol.type('PRIVMSG bob carol')
  while (heard.length < 31) heard.push((await bob.next())?.split(':').at(-1))
  const interruption = heard.indexOf('carol')
  assert(interruption > 0 && interruption < 30, `carol was heard as number ${interruption}`)
  heard.splice(interruption, 1)
  assert.deepEqual(
    heard,
    Array.from({ length: 30 }, (_, i) => String(i)),
  )
})

test('a client that sends everything and closes its side is answered to the last line, even if that takes a while', async () => {
  const config = `server: {password_hash: "${KETTLE}"}\nlimits: {flood_burst: 5, flood_lines_per_second: 50}\n`
  await using rig = await startRig({ config })
  const socket = connect({ port: rig.ircPort, host: '127.0.0.1', allowHalfOpen: true })
  const said = ['PASS kettle', 'NICK ann', 'USER ann 0 * :Ann', 'JOIN #tea']
  const more = Array.from({ length: 10 }, (_, i) => `PING ${i}`)
  socket.end([...said, ...more, ''].join('\r\n'))
  let heard = ''
  for await (const chunk of socket) heard += String(chunk)
  assert.match(heard, / 001 ann .* JOIN #tea\r\n.* PONG spark 9\r\nERROR :Connection closed\r\n$/s)
})

test('a client that sends an endless line is told so and closed; the others see why', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  using bob = await Person.join(rig.ircPort, 'bob')
  ann.type('JOIN #tea')
  await ann.settle()
  bob.type('JOIN #tea')
  await bob.settle()
  ann.socket.write('x'.repeat(64 * 1024))
  const [, tooLong = '', closing] = await ann.gone()
  assert.match(tooLong, /^:spark 417 ann :/)
  assert.equal(closing, 'ERROR :Line too long: it never ended')
  assert.equal(await bob.next(), ':ann!ann@127.0.0.1 QUIT :Line too long: it never ended')
})

test('nothing is free, registered or not: what is no line counts as one, and many bytes as several', async () => {
  const config = 'limits: {flood_burst: 8, flood_lines_per_second: 1}\nlogging: {level: error}\n'
  await using rig = await startRig({ config })
  const free = [
    '\n',
    '\r\n',
    '\r\r\n',
    '\0\n',
    'PONG x\n',
    'CAP LIST\n',
    'AUTHENTICATE +\n',
    '@a\n',
    ':a\n',
    '@a :b\n',
  ]
  const large = [`${'x'.repeat(15_000)}\n`, `@${'t'.repeat(4_000)} PONG x\n`.repeat(4), '\0'.repeat(15_000)]
  for (const [index, attack] of [...free.map((each) => each.repeat(20)), ...large].entries()) {
    for (const isRegistered of [false, true]) {
      using eve = isRegistered
        ? await Person.join(rig.ircPort, `eve${index}`)
        : await Person.connect(rig.ircPort)
      let heard = ''
      eve.socket.on('data', (text: string) => (heard += text))
      await new Promise((sent) => eve.socket.write(`${attack}\nPING last\n`, sent))
      // Read after it, by a server that turns.
      using witness = await Person.connect(rig.ircPort)
      await witness.settle()
      assert.doesNotMatch(heard, / last/, JSON.stringify(attack.slice(0, 20)))
    }
  }
})

test('an open batch does not bypass the rate: only its own lines count as one', async () => {
  const config = 'limits: {flood_burst: 10, flood_lines_per_second: 10}\nlogging: {level: error}\n'
  await using rig = await startRig({ config })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/multiline' })
  using bob = await Person.join(rig.ircPort, 'bob')
  using carol = await Person.join(rig.ircPort, 'carol')
  ann.type(
    'BATCH +1 draft/multiline bob',
    ...Array.from({ length: 30 }, (_, i) => `@batch=1 PRIVMSG bob :${i}`),
    'BATCH -1',
  )
  for (let i = 0; i < 30; i++) assert.equal((await bob.next())?.split(':').at(-1), String(i))
  ann.type('BATCH +2 draft/multiline bob', ...Array.from({ length: 30 }, (_, i) => `PRIVMSG bob :${i}`))
  await bob.next()
  carol.type('PRIVMSG bob carol')
  for (let i = 1; (await bob.next())?.endsWith(' PRIVMSG bob :carol') !== true; i++)
    assert.ok(i < 29, 'all of it came at once')
})

test('lines beyond the most that a batch may have count like any others', async () => {
  const config =
    'limits: {flood_burst: 10, flood_lines_per_second: 10, multiline_lines: 20}\nlogging: {level: error}\n'
  await using rig = await startRig({ config })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/multiline' })
  using bob = await Person.join(rig.ircPort, 'bob')
  using carol = await Person.join(rig.ircPort, 'carol')
  ann.type('BATCH +1 draft/multiline bob', ...Array.from({ length: 50 }, () => '@batch=1 PRIVMSG bob :x'))
  ann.type('PRIVMSG bob ann')
  await ann.until(/MULTILINE_MAX_LINES/)
  carol.type('PRIVMSG bob carol')
  assert.match((await bob.next()) ?? '', / :carol$/)
})

test('with the longest possible names nobody is cut in NAMES', async () => {
  const config =
    'limits: {flood_protection: false, nick_length: 64, channel_length: 128}\nlogging: {level: error}\n'
  await using rig = await startRig({ config, name: `spark${'-long'.repeat(5)}` })
  const channel = `#${'c'.repeat(127)}`
  const nicks = ['a', 'b', 'd', 'e', 'f'].map((letter) => letter.repeat(letter === 'f' ? 33 : 64))
  const people: Person[] = []
  for (const nick of nicks) {
    const person = await Person.join(rig.ircPort, nick)
    people.push(person)
    person.type(`JOIN ${channel}`)
    await person.until(/ 366 /)
  }
  people[0]?.type(`NAMES ${channel}`)
  const lines = (await people[0]?.settle())?.filter((line) => line.includes(' 353 ')) ?? []
  const named = lines.flatMap((line) => / #c+ :?(.*)/.exec(line)?.[1]?.split(' ') ?? [])
  assert.deepEqual(named, [`@${nicks[0]}`, ...nicks.slice(1)])
  for (const person of people) person[Symbol.dispose]()
})

test('lists over several lines are complete: nobody is missing in NAMES, and nothing in CAP ACK and LIST', async () => {
  const config = `server: {casemapping: precis}\n${UNLIMITED}`
  await using rig = await startRig({ config })
  const nicks = Array.from({ length: 24 }, (_, i) => `会議室前廊下入口東${String.fromCodePoint(0x6c34 + i)}`)
  const people: Person[] = []
  for (const nick of nicks) {
    const person = await Person.connect(rig.ircPort)
    people.push(person)
    person.type(`NICK ${nick}`, 'USER x 0 * x', 'JOIN #tea')
    await person.until(/ 366 /)
  }
  const long = 'n'.repeat(32)
  using ann = await Person.join(rig.ircPort, long)
  ann.type('JOIN #tea')
  const named = (await ann.settle()).flatMap(
    (line) => / 353 \S+ = #tea :?(.*)/.exec(line)?.[1]?.split(' ') ?? [],
  )
  assert.deepEqual(new Set(named.map((name) => name.replace('@', ''))), new Set([long, ...nicks]))

  ann.type('CAP LS 302')
  const offered = (await ann.settle()).flatMap((line) => line.split(' :')[1]?.split(' ') ?? [])
  const wanted = offered
    .map((each) => each.split('=')[0] ?? '')
    .filter((name) => name !== 'sts' && name !== 'draft/metadata-2')
  ann.type(`CAP REQ :${wanted.join(' ').slice(0, 480).replace(/ \S*$/, '')}`, 'CAP LIST')
  const lines = await ann.settle()
  const words = (kind: RegExp): string[] =>
    lines.filter((line) => kind.test(line)).flatMap((line) => line.split(' :')[1]?.split(' ') ?? [])
  assert.ok(words(/ ACK :/).length > 20)
  assert.deepEqual(
    words(/ ACK :/).filter((name) => !wanted.includes(name)),
    [],
  )
  assert.deepEqual(
    words(/ ACK :/).filter((name) => !words(/ LIST /).includes(name)),
    [],
  )
  for (const person of people) person[Symbol.dispose]()
})

test('a browser is disconnected before its second line is read', async () => {
  await using rig = await startRig()
  for (const path of ['/', `/${'long'.repeat(200)}`]) {
    using page = await Person.connect(rig.ircPort)
    page.socket.write(`POST ${path} HTTP/1.1\r\nHost: irc\r\n\r\nNICK eve\r\nUSER eve 0 * eve\r\nQUIT\r\n`)
    assert.deepEqual(await page.gone(), ['ERROR :This is an IRC server'])
  }
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('WHOIS eve', 'GET / HTTP/1.1')
  assert.equal(await ann.next(), ':spark 401 ann eve :No such nick/channel')
  await ann.next()
  assert.equal(await ann.next(), ':spark 421 ann GET :Unknown command')
})

test('a client that never reads is closed when its send queue is full, and nobody else misses a line', async () => {
  const limits = '{flood_protection: false, send_queue_bytes: 65536}'
  await using rig = await startRig({ config: `limits: ${limits}\nlogging: {level: error}\n` })
  using ann = await Person.join(rig.ircPort, 'ann')
  using bob = await Person.join(rig.ircPort, 'bob')
  using slow = await Person.join(rig.ircPort, 'slow')
  for (const person of [ann, bob, slow]) {
    person.type('JOIN #tea')
    await person.settle()
  }
  await ann.settle()
  await bob.settle()
  slow.socket.pause()

  let said = 0
  let heard = 0
  let closing: string | undefined
  // The system buffers some MiB for the slow one before we do.
  while (closing === undefined && said < 100_000) {
    const lines = Array.from({ length: 100 }, () => `PRIVMSG #tea :${said++} ${'x'.repeat(400)}`)
    ann.type(...lines)
    closing = (await ann.settle()).find((line) => line.includes(' QUIT '))
    for (const line of await bob.settle()) {
      if (line.includes(' QUIT ')) continue
      assert(line.startsWith(`:ann!ann@127.0.0.1 PRIVMSG #tea :${heard++} `), line.slice(0, 60))
    }
  }
  assert.equal(closing, ':slow!slow@127.0.0.1 QUIT :SendQ exceeded')
  assert.equal(heard, said)
})

test('10,000 hostile lines in random chunks over five connections: everybody else carries on, and every answer is a line', async () => {
  await using rig = await startRig()
  using canary = await Person.join(rig.ircPort, 'canary')
  canary.type('JOIN #tea')
  const seed = Math.floor(Math.random() * 2 ** 32)
  const next = randomFrom(seed)
  const strangers = Array.from({ length: 5 }, (_, i) => new Stranger(rig.ircPort, `evil${i}`))
  try {
    for (let round = 0; round < 20; round++) {
      for (const stranger of strangers) {
        const lines = Array.from({ length: 100 }, () => hostileLine(next))
        await stranger.send(Buffer.concat(lines), next)
      }
      canary.type(`PING round-${round}`)
      assert.match(await canary.until(/PONG/), new RegExp(`round-${round}$`))
    }
    for (const stranger of strangers) checkLines(await stranger.leave())
  } catch (cause) {
    throw new Error(`with the seed ${seed}`, { cause })
  }
})

test('a trusted proxy states a connection’s address; anybody else cannot', async () => {
  const header = 'PROXY TCP4 192.0.2.7 127.0.0.1 65533 6667'
  const settings = (proxies: string) => `server: {trusted_proxies: [${proxies}]}\nlogging: {level: error}\n`
  {
    await using rig = await startRig({ config: settings('127.0.0.1') })
    using ann = await Person.connect(rig.ircPort)
    ann.type(header, 'NICK ann', 'USER ann 0 * :Ann', 'USERHOST ann')
    assert.equal(await ann.until(/ 302 /), ':spark 302 ann ann=+ann@192.0.2.7')
    using bob = await Person.join(rig.ircPort, 'bob')
    bob.type('USERHOST bob')
    assert.equal(await bob.until(/ 302 /), ':spark 302 bob bob=+bob@127.0.0.1', 'a header may be left out')
  }
  await using rig = await startRig({ config: settings('192.0.2.1') })
  using eve = await Person.connect(rig.ircPort)
  eve.type(header, 'NICK eve', 'USER eve 0 * :Eve', 'USERHOST eve')
  assert.equal(await eve.until(/ 302 /), ':spark 302 eve eve=+eve@127.0.0.1')
})

test('a listener for proxies accepts nobody without a header', async () => {
  const config =
    'server: {trusted_proxies: [127.0.0.1]}\nlisteners: [{port: 0, proxy_protocol: required}]\nlogging: {level: error}\n'
  await using rig = await startRig({ config })
  using bob = await Person.connect(rig.ircPort)
  bob.type('NICK bob')
  assert.deepEqual(await bob.gone(), ['ERROR :A PROXY header is expected here'])
  using ann = await Person.connect(rig.ircPort)
  ann.type('PROXY TCP6 2001:db8::1 ::1 65533 6667', 'NICK ann', 'USER ann 0 * :Ann', 'USERHOST ann')
  assert.equal(await ann.until(/ 302 /), ':spark 302 ann ann=+ann@2001:db8::1')
})
