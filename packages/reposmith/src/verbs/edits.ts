// Changes to files of a folder, as steps of a plan.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cannot, done, type Answer } from '../failure.ts'
import { patchOf } from '../plan/patch.ts'
import type { EditStep } from '../plan/step.ts'
import type { Finding } from '../workflow/finding.ts'
import { mendText, unpinnedIn } from '../workflow/mend.ts'

export interface Edits {
  readonly edits: readonly EditStep[]
  /** What each file is to be. */
  readonly texts: ReadonlyMap<string, string>
}

/** What mends the files, of all that was found. `hashOf` tells what the name of an action means. */
export async function editsFor(
  folder: string,
  findings: readonly Finding[],
  hashOf: (uses: string) => Promise<string | undefined>,
): Promise<Edits> {
  const pins = new Map<string, string>()
  const edits: EditStep[] = []
  const texts = new Map<string, string>()
  const ill = findings.filter(({ passed, place }) => !passed && place !== null)
  const files = new Set(ill.map(({ place }) => place?.replace(/:\d+$/, '') ?? ''))
  for (const file of files) {
    const before = await readFile(join(folder, file), 'utf8').catch(() => undefined)
    if (before === undefined) continue
    const own = ill.filter(({ place }) => place?.replace(/:\d+$/, '') === file)
    for (const uses of unpinnedIn(before, own).filter((each) => !pins.has(each))) {
      const hash = await hashOf(uses)
      if (hash !== undefined) pins.set(uses, hash)
    }
    const after = mendText(before, own, pins)
    if (after === before) continue
    edits.push(editStep(file, before, after))
    texts.set(file, after)
  }
  return { edits, texts }
}

export function editStep(file: string, before: string | undefined, after: string): EditStep {
  const op = before === undefined ? 'create' : 'update'
  const title = before === undefined ? `add ${file}` : `change ${file}`
  return { kind: 'edit', id: `file:${file}`, title, op, file, patch: patchOf(file, before, after) }
}

/** All of it or nothing: a copy beside the file takes its place. */
export async function rewrite(folder: string, file: string, text: string): Promise<Answer<string>> {
  const to = join(folder, file)
  try {
    await mkdir(dirname(to), { recursive: true })
    await writeFile(`${to}.new`, text, { flag: 'wx' })
    await rename(`${to}.new`, to)
    return done(file)
  } catch (error) {
    return cannot('setup', `cannot write ${to}: ${(error as Error).message}`, 'fix that, then run it again')
  }
}
