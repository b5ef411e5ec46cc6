// L7: connections take all the files that they can get. The database, the commands and the other listener have theirs.
import { writeFileSync } from 'node:fs'
import { hookline, inShell, startBy } from '../test/command.ts'
import { post } from '../test/post.ts'
import { temporaryHome, writeBots } from '../test/rig.ts'
import { isServed, openSilent } from '../test/silent.ts'
import { figure } from './figure.ts'

const BOT = 'spark-ori-ci'
const RECOVERED_MS = 2_000

export default figure({
  id: 'L7',
  promise: 'When connections use up the files of a process, it refuses more, and everything else goes on',
  goal: 'with 64 and 256 files: webhooks are on disk, the chat and commands answer while another listener is flooded, a line in the log every 10 s at most, well again within 2 s',
  small: { limits: [64] },
  whole: { limits: [64, 256, 1_024] },
  isTimed: true,
  async measure({ limits }) {
    const told: string[] = []
    let isMet = true
    let isSound = true
    for (const files of limits) {
      const home = temporaryHome()
      writeBots(home, { [BOT]: `bot: {name: ${BOT}, owner: spark-ori}\noutput: {channels: ["#a"]}\n` })
      writeFileSync(home.config, 'logging: {level: warn}\n')
      await using server = await startBy(inShell(`ulimit -n ${files}; exec "$@"`), home)
      const began = performance.now()
      const posted = async (): Promise<boolean> =>
        (await post(`${server.url}/${BOT}`, { files })).status === 200
      const commands = async (): Promise<boolean> => (await hookline(home, 'server', 'status')).code === 0
      let served = 0
      let recovered = 0
      for (const [port, others] of [
        [server.ircPort, [posted, commands]],
        [Number(new URL(server.url).port), [() => isServed(server.ircPort), commands]],
      ] as const) {
        using flood = await openSilent(2 * files, port)
        for (const other of others) if (await other()) served++
        flood.hangUp()
        const over = performance.now()
        while (!(await isServed(server.ircPort)));
        if (await posted()) served++
        recovered = Math.max(recovered, performance.now() - over)
      }
      const seconds = (performance.now() - began) / 1_000
      const lines = (await server.stop())
        .split('\n')
        .filter((line) => line.includes('refused') || line.includes('files'))
      isMet &&= served === 6 && recovered < RECOVERED_MS && lines.length <= 2 + seconds / 10
      isSound &&= served === 6
      told.push(
        `${files} files: ${served} of 6 served, well after ${Math.round(recovered)} ms, ${lines.length} lines in the log`,
      )
    }
    return { figure: told.join('; '), isMet, isSound }
  },
})
