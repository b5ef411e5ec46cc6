// What keeps a server from starting, apart from its database.

export type Obstacle =
  | 'listener'
  | 'webhook listener'
  | 'certificate'
  | 'motd'
  | 'control socket'
  | 'other server'
  | 'database left behind'

/** The message says what is wrong; what to do about it depends on the obstacle alone. */
export class StartFailure extends Error {
  readonly obstacle: Obstacle

  constructor(obstacle: Obstacle, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartFailure'
    this.obstacle = obstacle
  }
}
