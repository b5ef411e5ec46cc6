// The server's log, as far as bots, webhooks and triggers know it.

export interface Logger {
  debug(data: object, text: string): void
  info(data: object, text: string): void
  warn(data: object, text: string): void
  error(data: object, text: string): void
}
