// Kinds of values that server.yaml has in several places.
import { z } from 'zod'
import { isPasswordHash } from '../accounts/passwords.ts'
import { isNetwork } from '../net/networks.ts'

const ADDRESS = 'must be an address, such as 127.0.0.1 or ::1 (without brackets)'
export const host = z
  .string()
  .regex(/^[^[\]]+$/, ADDRESS)
  .describe('address to listen on; 127.0.0.1: this machine only')
const PORT_NUMBER = 'must be a whole number from 0 to 65535'
export const port = z
  .int(PORT_NUMBER)
  .min(0, PORT_NUMBER)
  .max(65_535, PORT_NUMBER)
  .describe('0 means any free port')
export const name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/,
    'must be letters, digits, dots, hyphens and underscores, at most 63, and begin with a letter or a digit',
  )
export const passwordHash = z
  .string()
  .refine(
    isPasswordHash,
    'must be a PHC string that begins with $scrypt$ or $argon2id$, whole and of at most 1 GiB',
  )
/** For text shown in the chat, where a newline ends a line. In YAML, text after `|` ends with one. */
export const oneLine = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !/[\r\n\0]/.test(text), 'must be one line: write it after the colon, in quotes')
export const modes = (isMode: (letter: string) => boolean) =>
  z
    .string()
    .refine(
      (text) => text.replace('+', '').split('').every(isMode),
      'has a letter that is not one of these modes',
    )
export const network = z.string().refine(isNetwork, 'must be an address or a network, such as 10.0.0.0/8')
export const hostName = z
  .string()
  .regex(
    /^[^\s/:*?@]+$/,
    'must be a host name alone, such as hooks.example.org: no https:// before it, no port after it',
  )
export const whole = (least: number, most: number, fallback: number) =>
  z.int().min(least).max(most).default(fallback)
export const count = (fallback: number, max: number) => whole(1, max, fallback)
