// `hookline server hash-password`
import { SHORTEST_PASSWORD } from '../../accounts/validity.ts'
import { newSecret } from '../../senders/secret.ts'
import { cannot, done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { print, remark } from '../terminal.ts'

export default verb({
  details: `For \`server.password_hash\`, \`opers[].password_hash\` and \`server.webirc[].password_hash\`. The password is prompted for on a terminal, read from
standard input with \`--password -\`, or generated with \`--generate\`; it is never given on the command line, where others could see it. Nothing is
written: put the hash into server.yaml, in quotes; it takes effect at the next \`hookline server reload\`.`,
  arguments: [],
  options: [
    { name: 'password', type: 'text', value: '-', description: 'read it from standard input' },
    { name: 'generate', type: 'flag', description: 'generate a password and show it once' },
  ],
  changes: false,
  where: 'files',
  ignoresSettings: true,
  examples: [{ run: 'hookline server hash-password --generate', shows: 'a password and its hash' }],
  exits: { 1: 'no password was given', 2: 'the home folder cannot be used' },
  output: {
    /** A PHC string, for `password_hash` in server.yaml. */
    password_hash: 'text',
    /** Only if generated; it is not shown again. */
    password: 'text or null',
  },

  needs: () => import('../../accounts/passwords.ts'),

  async run(_, { password, generate = false }, ___, { DEFAULT_COST, hashPassword }) {
    if (generate && password !== undefined)
      return wrong('usage', '--generate and --password exclude each other', 'leave one of them out')
    const given = generate ? newSecret() : password
    if (!given) return wrong('usage', 'no password was given', 'add --generate or --password -')
    if (given.length < SHORTEST_PASSWORD)
      return wrong(
        'refused',
        `a password must have at least ${SHORTEST_PASSWORD} characters`,
        'choose a longer one, or have one made: --generate',
      )
    const hash = await hashPassword(given, DEFAULT_COST)
    if (hash === undefined)
      return cannot('setup', 'the server is hashing too many passwords right now', 'run it again')
    return done({ password_hash: hash, password: generate ? given : null })
  },

  show({ password_hash: hash, password }) {
    if (password !== null) print(`password: ${password}`)
    print(`password_hash: "${hash}"`)
    if (password !== null) remark('The password will not be shown again.')
  },
})
