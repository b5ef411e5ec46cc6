// Shared setup of the handler tests: a bot's folder with one handler, and what runs it.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../folder.ts'
import type { Secluded } from '../../src/handlers/enclosure.ts'
import { findHandler, type HandlerFile } from '../../src/handlers/find.ts'
import { Handler, type HandlerAnswer } from '../../src/handlers/handler.ts'
import { HANDLER_LIMITS, type HandlerLimits } from '../../src/handlers/limits.ts'
import type { Isolation } from '../../src/handlers/openfiles.ts'
import { Starts } from '../../src/handlers/starts.ts'
import { Warm } from '../../src/handlers/warm.ts'

const about = {
  name: 'spark-ori-ci',
  nick: 'spark-ori-ci',
  owner: 'spark-ori',
  description: 'CI',
  created: null,
  channels: ['#builds'],
  mention: null,
  dm_owner: true,
  template: null,
  fallback: 'json',
  delivery_id: 'd1',
}

export const NO_HOME = {
  folder: '/nonexistent',
  socket: '/nonexistent/control.sock',
  data: '/nonexistent/data',
  isListening: () => false,
}

/** Nothing that answers takes as long, even on a slow machine. */
const PATIENT = { callMs: 60_000, startMs: 60_000 }

const starts = new Starts()
const plenty = new Warm(HANDLER_LIMITS.maxWarm)

/** A bot's folder with one handler, and a Handler that runs it: isolated if `isolation` says so. Disposed with its worker. */
export function rig(
  name: string,
  code: string,
  limits: Partial<HandlerLimits> = {},
  warm = plenty,
  isolation?: Isolation,
  home: Secluded = NO_HOME,
) {
  const made = newFolder()
  const folder = made.path
  const log: string[] = []
  const printed = Promise.withResolvers<void>()
  const state = { kept: undefined as string | undefined, loads: 0, saves: 0, refuses: false }
  const options = {
    bot: about.name,
    folder,
    home,
    limits: { ...HANDLER_LIMITS, ...PATIENT, ...limits },
    log: {
      info: (data: object) => {
        log.push('line' in data ? String(data.line) : '')
        printed.resolve()
      },
      warn: (_: object, text: string) => void log.push(text),
    },
    starts,
    warm,
    state: {
      load: async () => {
        state.loads++
        return state.kept
      },
      save: async (_: string, json: string) => {
        if (state.refuses) throw new Error('disk full')
        state.kept = json
        state.saves++
      },
    },
  }
  writeFileSync(join(folder, name), code)
  let handler = new Handler(options)
  return {
    folder,
    log,
    printed: printed.promise,
    state,
    write: (text: string) => writeFileSync(join(folder, name), text),
    call: (payload = '{}', more: object = {}): Promise<HandlerAnswer> =>
      handler.call({ file: fileIn(folder), isolation, payload, about: { ...about, ...more } }),
    /** As if bot.yaml had just been edited. */
    callWith: (isolated: Isolation): Promise<HandlerAnswer> =>
      handler.call({ file: fileIn(folder), isolation: isolated, payload: '{}', about }),
    restart: async () => {
      await handler.close()
      handler = new Handler(options)
    },
    close: () => handler.close(),
    async [Symbol.asyncDispose]() {
      await handler.close()
      made.remove()
    },
  }
}

function fileIn(folder: string): HandlerFile {
  const { handler } = findHandler(folder)
  assert.ok(handler)
  return handler
}

export function said(answer: HandlerAnswer): string | null {
  if (!answer.ok) assert.fail(answer.error)
  return answer.text
}

export function error(answer: HandlerAnswer): string {
  return answer.ok ? `no error, but ${answer.text}` : answer.error
}
