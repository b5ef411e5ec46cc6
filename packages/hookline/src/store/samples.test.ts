// Sample records for the tests of this folder: an ordinary one of each kind, with changes.
import type { KeptMessage, NewDelivery, Outcome } from './deliveryrows.ts'
import type { HistoryRow } from './historyrows.ts'
import type { StoreLog } from './trouble.ts'

export function row(facts: Partial<HistoryRow>): HistoryRow {
  return {
    id: 'm',
    time: 1_000,
    command: 'PRIVMSG',
    conversation: '#tea',
    target: '#Tea',
    from: 'amy',
    mask: 'amy!a@host',
    account: null,
    isBot: false,
    text: 'hello',
    tags: '{}',
    delivery: null,
    ...facts,
  }
}

export function delivery(facts: Partial<NewDelivery>): NewDelivery {
  return {
    id: 'd',
    bot: 'a',
    receivedAt: 1_000,
    key: null,
    event: null,
    headers: {},
    body: Buffer.from('{}'),
    ...facts,
  }
}

export function outcome(facts: Partial<Outcome> = {}): Outcome {
  return {
    status: 'posted',
    finishedAt: 2_000,
    text: 'hello',
    error: null,
    channels: [],
    history: [],
    kept: [],
    composedBy: null,
    unresolved: [],
    reason: null,
    woken: [],
    ...facts,
  }
}

export function message(facts: Partial<KeptMessage>): KeptMessage {
  return {
    id: 'k',
    nick: 'amy',
    command: 'NOTICE',
    source: 'bot',
    text: 'hello',
    time: 1_000,
    delivery: 'd-1',
    ...facts,
  }
}

const ignore = (): void => {}
export const quiet: StoreLog = { info: ignore, warn: ignore, error: ignore }
