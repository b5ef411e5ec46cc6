// What a handler may use. Each limit says what happens beyond it.

export interface HandlerLimits {
  /** Then the call is cancelled, and fails. */
  readonly callMs: number
  /** How long a cancelled call may take to end, before the worker is killed. */
  readonly graceMs: number
  /** How long importing the handler may take; then the worker is killed. */
  readonly startMs: number
  /** Then an unused worker is stopped; the next call starts one. */
  readonly idleMs: number
  /** Workers of all handlers together. Beyond, the one that has rested longest is stopped, but none at work. */
  readonly maxWarm: number
  /** Calls that wait, and their size together. Beyond, a call fails at once: handler queue full. */
  readonly queueCalls: number
  readonly queueBytes: number
  /** Python: address space. An allocation beyond it raises MemoryError. */
  readonly memoryBytes: number
  /** Node: the heap. Beyond it the worker aborts. */
  readonly heapMiB: number
  /** Node: all memory that it may write to, 512 MiB of which V8 reserves for code. A buffer beyond it throws RangeError. */
  readonly dataBytes: number
  /** One file. Writing beyond it fails with EFBIG. */
  readonly fileBytes: number
  /** Descriptors of one process. Opening more fails with EMFILE. */
  readonly openFiles: number
  /** Processes and threads together, in a namespace. Starting more fails with EAGAIN; for root it is 300 more. */
  readonly processes: number
  /** Printed within ten seconds. Beyond, the worker is killed. */
  readonly printBytes: number
  /** auto: in namespaces if the system has them, else without, and with a warning. required: only isolated, or not at all. */
  readonly isolation: 'auto' | 'required' | 'none'
  /** UTF-8 of one answer. Beyond, the call fails. */
  readonly textBytes: number
  /** JSON of bot.state. Beyond, the call fails and the state stays as it was. */
  readonly stateBytes: number
  /** A worker that sends a longer line is killed. */
  readonly lineBytes: number
  /** The wait before a worker is started again after a crash doubles from the first to the last. */
  readonly backOffMs: readonly [first: number, last: number]
}

export const HANDLER_LIMITS: HandlerLimits = {
  callMs: 10_000,
  graceMs: 200,
  startMs: 10_000,
  idleMs: 10 * 60_000,
  maxWarm: 32,
  queueCalls: 1000,
  queueBytes: 64 * 1024 * 1024,
  memoryBytes: 512 * 1024 * 1024,
  heapMiB: 256,
  dataBytes: 1536 * 1024 * 1024,
  fileBytes: 64 * 1024 * 1024,
  openFiles: 256,
  processes: 64,
  printBytes: 16 * 1024 * 1024,
  isolation: 'auto',
  textBytes: 64 * 1024,
  stateBytes: 256 * 1024,
  lineBytes: 4 * 1024 * 1024,
  backOffMs: [100, 30_000],
}
