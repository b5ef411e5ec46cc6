// Messages for somebody who was away, until they are handed over.
import type { DatabaseSync } from 'node:sqlite'
import type { KeptFor, KeptMessage } from './deliveryrows.ts'
import { statements } from './rows.ts'
import { KEPT, type KeptValues } from './values.ts'

export interface KeptTable {
  readonly add: (values: KeptValues) => void
  /** To be called before COMMIT: drops and counts the oldest beyond 100 of one nick. */
  readonly trim: () => void
  readonly of: (nick: string) => KeptFor
  /** Nicks with messages waiting, or that are to hear that some were dropped. */
  readonly recipients: () => string[]
  readonly done: (nick: string, ids: readonly string[], told: number) => void
  /** Removes what that delivery left for anybody; returns how many messages. */
  readonly withdraw: (delivery: string) => number
}

export function keptTable(db: DatabaseSync): KeptTable {
  const rowsOf = statements(db)
  const insert = db.prepare(`
    INSERT INTO kept (id, nick, command, source, text, time, delivery) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING`)
  const dropOldest = db.prepare(`
    DELETE FROM kept WHERE seq IN (SELECT seq FROM kept WHERE nick = ? ORDER BY seq DESC LIMIT -1 OFFSET ${MOST_PER_NICK})`)
  const count = db.prepare(`
    INSERT INTO kept_dropped (nick, count) VALUES (?1, ?2) ON CONFLICT (nick) DO UPDATE SET count = count + ?2`)
  const select = rowsOf<KeptMessage>(`
    SELECT id, nick, command, source, text, time, delivery FROM kept WHERE nick = ? ORDER BY seq`)
  const nicks = rowsOf<{ nick: string }>('SELECT nick FROM kept UNION SELECT nick FROM kept_dropped')
  const dropped = rowsOf<{ count: number }>('SELECT count FROM kept_dropped WHERE nick = ?')
  const remove = db.prepare('DELETE FROM kept WHERE id = ?')
  const uncount = db.prepare('UPDATE kept_dropped SET count = count - ? WHERE nick = ?')
  const ofDelivery = db.prepare('DELETE FROM kept WHERE delivery = ?')
  const clear = db.prepare('DELETE FROM kept_dropped WHERE nick = ? AND count <= 0')
  /** Who may have more than 100 now. */
  const grown = new Set<string>()

  return {
    add: (values) => {
      insert.run(...values)
      grown.add(values[KEPT.nick])
    },
    trim: () => {
      for (const nick of grown) {
        const { changes } = dropOldest.run(nick)
        if (changes) count.run(nick, changes)
      }
      grown.clear()
    },
    of: (nick) => ({ messages: select.all(nick), dropped: dropped.get(nick)?.count ?? 0 }),
    recipients: () => nicks.all().map(({ nick }) => nick),
    done: (nick, ids, told) => {
      // One that was dropped after it was read was still handed over: it does not count as lost.
      let heard = told
      for (const id of ids) if (!remove.run(id).changes) heard++
      if (heard === 0) return
      uncount.run(heard, nick)
      clear.run(nick)
    },
    withdraw: (delivery) => Number(ofDelivery.run(delivery).changes),
  }
}

const MOST_PER_NICK = 100
