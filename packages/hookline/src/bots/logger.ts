// The part of the server's log that bots, webhooks and triggers use.

export interface Logger {
  debug(data: object, text: string): void
  info(data: object, text: string): void
  warn(data: object, text: string): void
  error(data: object, text: string): void
}
