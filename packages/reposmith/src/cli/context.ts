// What a verb gets: the host, and a way to it that is opened only when it is needed.
import { cannot, done, failed, type Answer } from '../failure.ts'
import { findHost } from '../host/host.ts'
import { findToken } from '../host/token.ts'
import { quote } from '../plan/text.ts'
import type { LooseInput } from '../table/input.ts'
import type { Context } from '../verbs/context.ts'
import type { Interrupts } from './interrupt.ts'
import { remark } from './terminal.ts'
import { readVersion } from './version.ts'

interface Typed {
  /** Else no settings of a host count: one that is wrong stands in nobody's way. */
  readonly asksHost: boolean
  readonly args: readonly string[]
  /** Then an error is one line on stderr, and nothing else stands there. */
  readonly json: boolean
}

export function contextFor(input: LooseInput, typed: Typed, interrupts: Interrupts): Answer<Context> {
  const { args, json, asksHost } = typed
  const { env } = process
  const { host: named, apiUrl } = input
  const whereabouts = {
    ...(typeof named === 'string' ? { host: named } : {}),
    ...(typeof apiUrl === 'string' ? { apiUrl } : {}),
  }
  const host = findHost(whereabouts, asksHost ? env : {})
  if (!host.ok) return host
  const cwd = currentFolder()
  if (cwd === undefined)
    return cannot(
      'setup',
      'the current folder has been removed',
      'go to one that is there, then run it again',
    )
  return done({
    host: host.output,
    apply: input['apply'] === true,
    async connect() {
      const token = findToken(host.output, env)
      if (!token.ok) return token
      interrupts.listen()
      if (interrupts.stop.aborted) return failed(interrupts.failure)
      const { createClient } = await import('../host/client.ts')
      return done(
        createClient({
          host: host.output,
          token: token.output,
          version: readVersion(),
          timeoutSeconds: Number(input['timeout']),
          maxWaitSeconds: Number(input['maxWait']),
          stop: interrupts.stop,
          abandon: interrupts.abandon,
          onWait: (seconds, why) => (json ? undefined : remark(`waiting ${seconds} s: ${why}`)),
        }),
      )
    },
    async execute(step) {
      interrupts.listen()
      const { runTool } = await import('../scaffold/tools.ts')
      return await runTool(step, env, json ? undefined : remark, { stop: interrupts.stop })
    },
    stop: interrupts.stop,
    onStep: (step) => (json ? undefined : progress(`${step.title} …`)),
    resume: ['reposmith', ...args.map(quote)].join(' '),
    hostFlags: Object.entries(whereabouts)
      .map(([name, value]) => ` ${name === 'host' ? '--host' : '--api-url'} ${quote(value)}`)
      .join(''),
    cwd,
    env,
  })
}

/** Undefined where somebody removed it. */
function currentFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/** For somebody who watches; a program that reads us gets results alone. */
function progress(line: string): void {
  if (process.stderr.isTTY) remark(line)
}
