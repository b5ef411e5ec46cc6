// Fills in what comes from a person or a pipe: answers to prompts, `-` for standard input, a payload file.
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { basename, resolve } from 'node:path'
import { cannot, done, wrong, type Answer } from '../control/failure.ts'
import type { LooseInput } from '../commands/input.ts'
import type { Argument, Command } from '../commands/command.ts'
import { shellWord } from '../commands/shellword.ts'
import { codeOf, messageOf } from '../failure/thrown.ts'

/** The largest value of `webhooks.max_body_bytes`: a larger file is no payload. */
const PAYLOAD_BYTES = 25 * 1024 * 1024
const SAID_BYTES = 1024 * 1024
const SECRET_BYTES = 4096
/** No bot.yaml is longer. */
const TEMPLATE_BYTES = 64 * 1024

/** The completed input, or why it cannot be had. */
export async function prepare(
  command: Command,
  typed: LooseInput,
  json: boolean,
): Promise<Answer<LooseInput>> {
  switch (command.name) {
    case 'bot create': {
      const asked = await fillIn(typed, json)
      return asked.ok ? readPiped(typed, asked.output) : asked
    }
    case 'account create':
    case 'account passwd':
      // Without a name nothing is asked: checkInput reports it next.
      return typed['name'] === undefined ? done(typed) : readPassword(command, typed, json)
    case 'server hash-password':
      return readPassword(command, typed, json)
    case 'bot edit':
    case 'bot rotate-secret':
      return readPiped(typed)
    case 'send':
      return typed['text'] === '-' ? replace(typed, 'text', await readAll('-', SAID_BYTES)) : done(typed)
    case 'bot test':
      return typeof typed['payload'] === 'string' ? readPayload(typed, typed['payload']) : done(typed)
    case 'server backup':
    case 'server restore':
      return placeBackup(command, typed)
    default:
      return done(typed)
  }
}

/** Whether questions can be asked: they move the cursor, which a dumb terminal cannot. */
function isConversation(json: boolean): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb' && !json
}

async function fillIn(typed: LooseInput, json: boolean): Promise<Answer<LooseInput>> {
  if (!isConversation(json) || (typed['name'] && typed['owner'])) return done(typed)
  const { askForBot } = await import('./prompts.ts')
  return askForBot(typed)
}

/** From a pipe or a prompt: others can see a command line, and the shell remembers it. */
async function readPassword(
  { name, arguments: words }: Command,
  typed: LooseInput,
  json: boolean,
): Promise<Answer<LooseInput>> {
  const { password, generate, token } = typed
  if (generate === true || password === null) return done(typed)
  if (password === '-') {
    const read = await readAll('-', SECRET_BYTES)
    return replace(typed, 'password', read.ok ? done(read.output.replace(/\r?\n$/, '')) : read)
  }
  const given = (word: Argument): string => {
    const value = typed[word.name]
    return typeof value === 'string' ? shellWord(value) : word.name.toUpperCase()
  }
  const called = [name, ...words.map(given)].join(' ')
  const hint = `pipe it in: … | hookline ${called} --password -, or have one made: --generate`
  if (password !== undefined)
    return wrong('usage', 'a password does not belong on the command line, where others can see it', hint)
  if (token !== undefined) return done(typed)
  if (!isConversation(json)) return wrong('usage', 'no password was given', hint)
  const { askForPassword } = await import('./prompts.ts')
  const asked = await askForPassword()
  return replace(typed, 'password', asked)
}

/** Reads the option given as `-` into `known`, which may include answers to prompts. */
async function readPiped(typed: LooseInput, known = typed): Promise<Answer<LooseInput>> {
  const [name, second] = (['secret', 'template'] as const).filter((each) => typed[each] === '-')
  if (name === undefined) return done(known)
  if (second !== undefined)
    return wrong(
      'usage',
      `standard input cannot be both --${name} and --${second}`,
      'give one of them in another way, such as --secret file:PATH',
    )
  const read = await readAll('-', name === 'secret' ? SECRET_BYTES : TEMPLATE_BYTES)
  // `echo secret |` appends a newline that is not part of it.
  const value = read.ok ? read.output.replace(/\r?\n$/, '') : ''
  if (read.ok && value === '')
    return wrong('usage', 'standard input is empty', `pipe the value of --${name} in, or leave it out`)
  return replace(known, name, read.ok ? done(value) : read)
}

/** Resolves the path here: the server has another working folder. checkInput reports a missing one next. */
function placeBackup({ name }: Command, typed: LooseInput): Answer<LooseInput> {
  const { file } = typed
  if (file === '-')
    return wrong(
      'usage',
      `${name}: FILE is -, but a backup cannot be piped`,
      'name a file; write ./- for one called -',
    )
  return done(typeof file === 'string' && file !== '' ? { ...typed, file: resolve(file) } : typed)
}

/** The golden file is named after the payload file, unless --as says otherwise. */
async function readPayload(typed: LooseInput, file: string): Promise<Answer<LooseInput>> {
  const isCompared = typed['golden'] === true || typed['update'] === true
  const named = isCompared && file !== '-' ? { as: basename(file, '.json') } : {}
  return replace({ ...named, ...typed }, 'payload', await readAll(file, PAYLOAD_BYTES))
}

function replace(input: LooseInput, name: string, read: Answer<string>): Answer<LooseInput> {
  return read.ok ? done({ ...input, [name]: read.output }) : read
}

/** A file, or standard input for `-`. */
async function readAll(file: string, bytes: number): Promise<Answer<string>> {
  try {
    const body =
      file === '-' ? await readBytes(process.stdin, bytes) : await readBytes(createReadStream(file), bytes)
    const name = file === '-' ? 'standard input' : file
    if (body.length > bytes)
      return wrong('invalid', `${name} has more than ${bytes} bytes`, 'use a smaller one')
    if (!isUtf8(body)) return wrong('invalid', `${name} is not UTF-8`, 'save it as UTF-8')
    return done(body.toString('utf8'))
  } catch (error) {
    if (/^\s*[{[]/.test(file))
      return wrong('usage', 'that is JSON, not a file name', 'pipe it in, and give - as the file')
    if (DELIVERY_ID.test(file))
      return wrong(
        'usage',
        'that is the id of a delivery, not a file name',
        'save what the bot received with hookline bot capture NAME, then use --fixture captured',
      )
    const why = REASONS[codeOf(error) ?? ''] ?? messageOf(error)
    return cannot('setup', `cannot read ${file}: ${why}`, 'name a file that exists, or - for standard input')
  }
}

const DELIVERY_ID = /^d-[0-9a-z]{17}$/
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
}

/** Stops once beyond the bound, so that the caller sees that there was more. */
async function readBytes(input: AsyncIterable<Buffer>, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    chunks.push(chunk)
    size += chunk.length
    if (size > bytes) break
  }
  return Buffer.concat(chunks)
}
