// Numbers of things, as people say them.

/** `1 message`, `2 messages` */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
