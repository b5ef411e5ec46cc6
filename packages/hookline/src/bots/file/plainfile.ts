// Reads a bot.yaml, if it is a plain file.
import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type Refusable, refuse } from '../../failure/refusal.ts'
import { YAML_MAX_BYTES } from '../../yaml/yamlfile.ts'
import { isCode, messageOf } from '../../failure/thrown.ts'

/** Refuses a link or a pipe under this name: the file must be the one that was checked, and it must end. */
export function readPlainFile(path: string): Refusable<{ text: string }> {
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile()) return refuse(`${path} is not a file`)
      if (stats.size > YAML_MAX_BYTES)
        return refuse(`${path} is longer than ${YAML_MAX_BYTES / 1024} KiB: shorten it`)
      const bytes = readFileSync(file)
      return isUtf8(bytes)
        ? { ok: true, text: bytes.toString() }
        : refuse(`${path} is not UTF-8: save it as UTF-8`)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (isCode(error, 'ELOOP')) return refuse(`${path} is a symbolic link: replace it with the file itself`)
    return refuse(`${path} cannot be read: ${messageOf(error)}`)
  }
}
