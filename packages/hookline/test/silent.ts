// Many connections that only take up room.
import { connect } from 'node:net'

export interface Silent extends Disposable {
  hangUp(): void
}

/** They say nothing and never hang up by themselves. Resolves when the server has refused one. */
export async function openSilent(count: number, port: number): Promise<Silent> {
  const { promise: refused, resolve } = Promise.withResolvers<void>()
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      .on('error', () => {})
      .on('end', () => resolve())
      .on('close', () => resolve())
      .resume(),
  )
  const hangUp = (): void => sockets.forEach((socket) => socket.destroy())
  await refused
  return { hangUp, [Symbol.dispose]: hangUp }
}

/** Whether somebody who connects there now is answered. */
export function isServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING here\r\n'))
    socket.on('error', () => {}).on('close', () => resolve(false))
    socket.on('data', (bytes) => {
      resolve(bytes.includes('PONG'))
      socket.destroy()
    })
  })
}
