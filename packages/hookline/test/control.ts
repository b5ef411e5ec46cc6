// What the command asks of a running server, without a process for it.
import assert from 'node:assert/strict'
import { type CallOptions, connectControl } from '../src/control/client.ts'
import type { Answer } from '../src/control/failure.ts'
import type { Home } from '../src/home/home.ts'

export async function call(
  home: Home,
  operation: string,
  input: object,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  const connected = await connectControl(home)
  assert.ok(connected.ok)
  try {
    return await connected.client.call(operation, input, options)
  } finally {
    connected.client.close()
  }
}

/** Of what is not refused. */
export async function outputOf<T>(home: Home, operation: string, input: object): Promise<T> {
  const answer = await call(home, operation, input)
  assert.ok(answer.ok, JSON.stringify(answer))
  return answer.output as T
}
