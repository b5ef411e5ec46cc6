// Which bots ask for proof of the sender: one that did never stops because `trigger.auth` is missing from its file.
import type { Log } from '../log/log.ts'
import type { BotSettings } from './file/botfile.ts'
import type { BotOnDisk } from './disk.ts'

/** What is remembered across restarts, as JSON. */
export interface ProofMemory {
  load(key: string): Promise<string | undefined>
  /** Null removes. */
  save(key: string, json: string | null): Promise<void>
}

/**
 * A file may be read while it is being written, and everybody could post if `trigger.auth` came last. So only `type: none` ends a
 * proof, also after a restart; without either the file does not take effect.
 */
export class Proofs {
  readonly #memory: ProofMemory | undefined
  readonly #log: Log
  /** By name. One without an entry has to be recalled first. */
  readonly #demanded = new Map<string, boolean>()
  /** What the disk has refused. */
  readonly #unsaved = new Set<string>()

  constructor(memory: ProofMemory | undefined, log: Log) {
    this.#memory = memory
    this.#log = log
  }

  async recall(names: readonly string[]): Promise<void> {
    const recallOne = async (name: string) => {
      const json = await this.#memory?.load(keyOf(name))
      // Its file may have been read meanwhile.
      if (!this.#demanded.has(name)) this.#demanded.set(name, json !== undefined)
    }
    await Promise.all(names.filter((name) => !this.#demanded.has(name)).map(recallOne))
  }

  /** What keeps the file from taking effect. */
  flawOf(disk: BotOnDisk): string | undefined {
    return this.#demanded.get(disk.name) ? withoutProof(disk) : undefined
  }

  /** To be called with what the file says. A bot that takes no webhooks keeps what was demanded of senders before. */
  note(name: string, { trigger: { auth } }: BotSettings): void {
    if (auth !== undefined) this.#set(name, auth.type !== 'none')
  }

  /** For a new bot, whose name another may have had. */
  clear(name: string): void {
    this.#set(name, false)
  }

  /** For a deleted bot, of which the store forgets everything. */
  forget(name: string): void {
    this.#demanded.delete(name)
  }

  #set(name: string, isDemanded: boolean): void {
    const before = this.#demanded.get(name)
    this.#demanded.set(name, isDemanded)
    if (!this.#unsaved.delete(name) && before === isDemanded) return
    this.#memory?.save(keyOf(name), isDemanded ? '{}' : null).catch((error: unknown) => {
      // Tried again when its file is read next.
      this.#unsaved.add(name)
      this.#log.warn({ err: error, bot: name }, 'whether senders must prove themselves could not be stored')
    })
  }
}

/** Follows a bot's name and a colon, which no name has, so the key cannot clash with a handler's state. */
export const PROOF = 'proof'

function keyOf(name: string): string {
  return `${name}:${PROOF}`
}

/** What is wrong with the file of a bot that has asked for a proof. */
export function withoutProof({ name, settings }: BotOnDisk): string | undefined {
  if (settings?.trigger.type !== 'webhook' || settings.trigger.auth !== undefined) return undefined
  return `bots/${name}/bot.yaml trigger.auth: is missing, and senders would no longer have to prove themselves: put it back, or accept every sender with auth: {type: none}, which \`bot edit ${name} --auth none\` writes`
}
