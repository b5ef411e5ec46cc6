// `hookline` in a test's shell: has the resident process run it, or, while that is busy, is the real command.
// node call.cjs <port> <the real command> <arguments>
const { spawn } = require('node:child_process')
const { connect } = require('node:net')

const [node, , port, bin, ...args] = process.argv
const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
const say = (said) => socket.write(`${JSON.stringify(said)}\n`)
let rest = ''
let isDone = false

socket.setEncoding('latin1')
say({ args, cwd: process.cwd(), env: process.env })
socket.on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) hear(JSON.parse(line))
})
socket.on('error', () => undefined)
socket.on('close', () => {
  if (!isDone) fail('the resident process has ended')
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

function hear({ stdout, stderr, wants, busy, code }) {
  if (stdout !== undefined) process.stdout.write(Buffer.from(stdout, 'base64'))
  if (stderr !== undefined) process.stderr.write(Buffer.from(stderr, 'base64'))
  if (wants) giveInput()
  if (busy || code !== undefined) {
    isDone = true
    process.stdin.pause()
    socket.destroy()
  }
  if (busy)
    spawn(node, [bin, ...args], { stdio: 'inherit' }).on('exit', (real, signal) =>
      signal ? process.kill(process.pid, signal) : (process.exitCode = real),
    )
  if (code !== undefined) process.exitCode = code
}

function giveInput() {
  if (process.stdin.listenerCount('data') > 0) return
  process.stdin.on('data', (chunk) => say({ stdin: chunk.toString('base64') }))
  process.stdin.on('end', () => say({ stdin: null }))
}

function fail(text) {
  console.error(text)
  process.exitCode = 70
}
