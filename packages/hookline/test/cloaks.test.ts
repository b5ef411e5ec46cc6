// Cloaks of users from several networks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { startRig, temporaryHome, UNLIMITED } from './rig.ts'
import { come, TRUSTING, visit } from './visitor.ts'

const config = `server: {${TRUSTING}, cloak: {enabled: true}}\n${UNLIMITED}`

test('a ban of the last parts of a cloak keeps out a network, also after a restart', async (t) => {
  const home = temporaryHome(t)
  const cloaks: string[] = []
  {
    await using rig = await startRig({ config, home })
    using ann = await visit(rig.ircPort, '192.0.2.1', 'ann')
    cloaks.push(await hostOf(ann, 'ann'))
  }
  await using rig = await startRig({ config, home })
  using op = await visit(rig.ircPort, '198.51.100.1', 'op')
  using ann = await visit(rig.ircPort, '192.0.2.1', 'ann')
  assert.equal(await hostOf(ann, 'ann'), cloaks[0])
  op.type('JOIN #tea', `MODE #tea +b *!*@*.${cloaks[0]?.split('.').slice(1).join('.')}`)
  await op.settle()
  using neighbour = await visit(rig.ircPort, '192.0.2.200', 'neighbour')
  neighbour.type('JOIN #tea')
  assert.match(await neighbour.until(/#tea/), / 474 /)
  using farther = await visit(rig.ircPort, '192.0.3.1', 'farther')
  farther.type('JOIN #tea')
  assert.match(await farther.until(/#tea/), / JOIN #tea$/)
})

test('UBAN matches addresses, whatever others see', async () => {
  await using rig = await startRig({ config: config + OPERATOR })
  using root = await visit(rig.ircPort, '198.51.100.1', 'root')
  using ann = await visit(rig.ircPort, '192.0.2.1', 'ann')
  using bob = await visit(rig.ircPort, '192.0.3.1', 'bob')
  const cloak = await hostOf(bob, 'bob')
  root.type(BECOME_OPERATOR, 'UBAN INFO ann', 'UBAN ADD 192.0.2.0/24 :away', `UBAN ADD *!*@${cloak} :seen`)
  assert.match(await root.until(/connected from/), / connected from 192\.0\.2\.1$/)
  assert.match((await ann.gone()).join(), /Banned: away/)
  assert.match((await bob.gone()).join(), /Banned: seen/)
})

test('a ban of the cloak behind an account’s host still matches an always-on user after a restart', async (t) => {
  const home = temporaryHome(t)
  const accounts = config.replace('enabled: true', 'enabled: true, accounts: true')
  const comeAsAnn = async (port: number) => {
    const ann = await come(port, '192.0.2.1')
    ann.type('PASS ann:tea-and-cake', 'NICK ann', 'USER ann 0 * :Ann')
    await ann.until(/ 422 /)
    return ann
  }
  let cloak = ''
  {
    await using rig = await startRig({ config: accounts, home })
    using newcomer = await visit(rig.ircPort, '192.0.2.1', 'ann')
    cloak = await hostOf(newcomer, 'ann')
    newcomer.type('NS REGISTER tea-and-cake', 'QUIT')
    await newcomer.gone()
    using ann = await comeAsAnn(rig.ircPort)
    assert.equal(await hostOf(ann, 'ann'), 'ann.account.cloak')
    ann.type('NS SET ALWAYS-ON ON')
    await ann.until(/ALWAYS-ON is ON/)
  }
  await using rig = await startRig({ config: accounts, home })
  using op = await visit(rig.ircPort, '198.51.100.1', 'op')
  op.type('JOIN #tea', `MODE #tea +b *!*@${cloak}`)
  await op.settle()
  using ann = await comeAsAnn(rig.ircPort)
  ann.type('JOIN #tea')
  assert.match(await ann.until(/ #tea /), / 474 ann #tea /)
})

test('a server ban of an account’s host also keeps out those who come later', async () => {
  const accounts = config.replace('enabled: true', 'enabled: true, accounts: true')
  await using rig = await startRig({ config: `${accounts}accounts: {password_cost: 4}\n` })
  const request = { durationMs: undefined, needsAccount: false, reason: 'rude' }
  assert((await rig.server.bans.add({ ...request, target: '*!*@ann.account.cloak' }, 'root')).ok)
  using newcomer = await visit(rig.ircPort, '192.0.2.1', 'ann')
  newcomer.type('NS REGISTER tea-and-cake', 'QUIT')
  await newcomer.gone()
  using ann = await come(rig.ircPort, '192.0.2.1')
  ann.type('PASS ann:tea-and-cake', 'NICK ann', 'USER ann 0 * :Ann', 'PING here')
  assert.match(await ann.until(/PONG|ERROR/), /ERROR :Banned: rude$/)
})

test('a user who was always on before cloaks were enabled has one after the restart', async (t) => {
  const home = temporaryHome(t)
  {
    const bare = config.replace('enabled: true', 'enabled: false')
    await using rig = await startRig({ config: bare, home })
    for (const [nick, address] of [
      ['ann', '192.0.2.1'],
      ['bob', '2001:db8::1'],
    ] as const) {
      using person = await visit(rig.ircPort, address, nick)
      person.type('NS REGISTER tea-and-cake', 'NS SET ALWAYS-ON ON')
      await person.until(/ALWAYS-ON is ON/)
    }
  }
  await using rig = await startRig({ config, home })
  using cy = await visit(rig.ircPort, '192.0.2.1', 'cy')
  const cloak = await hostOf(cy, 'cy')
  assert.match(cloak, /\.cloak$/)
  assert.equal(await hostOf(cy, 'ann'), cloak)
  assert.match(await hostOf(cy, 'bob'), /\.cloak$/)
})

async function hostOf(person: Awaited<ReturnType<typeof visit>>, nick: string): Promise<string> {
  person.type(`WHOIS ${nick}`)
  return (await person.until(/ 311 /)).split(' ')[5] ?? ''
}
