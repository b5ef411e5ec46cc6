// Many clients in a process of their own, so that what they cost is not taken for what the server costs.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { within } from './client.ts'
import { atEnd } from './endings.ts'
import type { Orders } from './roles.ts'

export interface Crowd extends AsyncDisposable {
  /** Resolves when they have done it. */
  order(word: string): Promise<unknown>
}

const PATIENCE_MS = 120_000

/** Who plays which part, and with what: the parts are in roles.ts. */
export async function startCrowd<Role extends keyof Orders>(
  role: Role,
  options: Orders[Role],
): Promise<Crowd> {
  const script = fileURLToPath(new URL('roles.ts', import.meta.url))
  const child = fork(script, [role, JSON.stringify(options)])
  const kill = atEnd(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const answer = async (what: string): Promise<unknown> => {
    const ended = exited.then(() => Promise.reject(new Error(`${role} ended`)))
    const said = (once(child, 'message') as Promise<[{ fault?: string; value?: unknown }]>).then(
      ([{ fault, value }]) => {
        if (fault !== undefined) throw new Error(fault)
        return value
      },
    )
    return await within(PATIENCE_MS, Promise.race([said, ended]), `${role} did not ${what}`)
  }
  await answer('come')
  return {
    async order(word) {
      child.send(word)
      return await answer(word)
    },
    async [Symbol.asyncDispose]() {
      kill()
      await exited
    },
  }
}
