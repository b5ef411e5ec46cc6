// One manifest, or many at once: so many at a time, with one client and so one rate limit for all.
import { globSync } from 'node:fs'
import { cannot, done, STOPPED, type Answer, type Failure } from '../failure.ts'
import type { Context, Outcome } from './context.ts'

export interface Many<T> {
  readonly success: boolean
  /** One for each file, in the order of their names. */
  readonly results: readonly ({ readonly file: string; readonly error?: Failure } & Partial<T>)[]
  /** How many requests were sent, and how many more the host allows for now, if it says so. */
  readonly requests: number
  readonly rate: { readonly remaining: number | null; readonly reset: string | null }
}

/** The host asks for no more than a hundred at once, and writes go one after another anyway. */
const AT_ONCE = 8

/** `*`, `?`, `[ab]` and `{a,b}` are patterns of files: with any of these, or several names, there are many. */
export async function overMany<T extends object>(
  typed: readonly string[] = ['repo.yaml'],
  context: Context,
  act: (file: string) => Promise<Answer<Outcome<T>>>,
): Promise<Answer<Outcome<T | Many<T>>>> {
  const [only = 'repo.yaml', ...others] = typed
  if (others.length === 0 && !isPattern(only)) return await act(only)
  const files = filesOf(typed, context.cwd)
  return files.ok ? await manyOf(files.output, context, act) : files
}

export async function manyOf<T extends object>(
  files: readonly string[],
  context: Context,
  act: (file: string) => Promise<Answer<Outcome<T>>>,
): Promise<Answer<Outcome<Many<T>>>> {
  const answers = await pooled(files, async (file) =>
    context.stop.aborted ? ({ ok: false, error: STOPPED } as const) : await act(file),
  )
  const results = answers.map(({ item, answer }) => {
    const error = answer.ok ? answer.output.failure : answer.error
    return { file: item, ...(answer.ok ? answer.output.output : {}), ...(error ? { error } : {}) }
  })
  const failures = results.flatMap(({ error }) => error ?? [])
  const exits = answers.flatMap(({ answer }) => (answer.ok ? (answer.output.exit ?? []) : []))
  const output = {
    success: failures.length === 0,
    results: results as unknown as Many<T>['results'],
    ...(await spent(context)),
  }
  return done({ output, failure: summed(failures, files.length), exit: exits[0] })
}

function isPattern(file: string): boolean {
  return /[*?[{]/.test(file)
}

function filesOf(typed: readonly string[], cwd: string): Answer<readonly string[]> {
  const found = typed.flatMap((each) => (isPattern(each) ? globSync(each, { cwd }) : [each]))
  const files = [...new Set(found)].toSorted()
  return files.length > 0
    ? done(files)
    : cannot('setup', `no file is like ${typed.join(' ')}`, 'name others with -f, in quotes')
}

/** So many at a time; the answers in the order of the items. */
export async function pooled<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>) {
  const answers: { readonly item: Item; readonly answer: Result }[] = []
  const left = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of left) answers[index] = { item, answer: await act(item) }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work))
  return answers
}

/** The first failure, with how many there are. */
function summed(failures: readonly Failure[], of: number): Failure | undefined {
  const worst = failures.find(({ code }) => code === 130) ?? failures[0]
  if (!worst) return undefined
  const { partial: _, ...failure } = worst
  return { ...failure, message: `${failures.length} of ${of} failed; the first: ${worst.message}` }
}

async function spent({ connect }: Context): Promise<Pick<Many<unknown>, 'requests' | 'rate'>> {
  const client = await connect()
  return client.ok ? client.output.spent() : { requests: 0, rate: { remaining: null, reset: null } }
}
