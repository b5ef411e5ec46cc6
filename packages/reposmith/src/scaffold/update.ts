// Brings what a newer template has into a folder: three-way, with the scaffold as it was made as the common ancestor.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ANSWERS, blobId, type Answers } from './answers.ts'
import { listFiles } from './compare.ts'
import { askGit } from './git.ts'

export interface Updated {
  readonly file: string
  /** Undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
  /** Both have changed it, in the same place or from an unknown ancestor: for a person to merge. */
  readonly isTorn: boolean
}

/** What the newer scaffold `made` changes in the folder. What only people have changed, or removed, stays so. */
export async function updatesOf(
  made: string,
  folder: string,
  kept: Answers,
  env: NodeJS.ProcessEnv,
): Promise<readonly Updated[]> {
  const updates: Updated[] = []
  for (const file of await listFiles(made)) {
    const then = kept.files[file]
    const after = await readFile(join(made, file))
    const mine = await readFile(join(folder, file)).catch(() => undefined)
    if (!mine) {
      if (then === undefined)
        updates.push({ file, before: undefined, after: after.toString(), isTorn: false })
      continue
    }
    const now = blobId(mine)
    if (now === blobId(after) || then === blobId(after)) continue
    const before = mine.toString()
    // Our own: it says what the template made, whoever changed it.
    if (now === then || file === ANSWERS)
      updates.push({ file, before, after: after.toString(), isTorn: false })
    else updates.push({ file, before, ...(await merged(made, folder, then, { mine, after, env })) })
  }
  return updates
}

/** The ancestor is in the history of whoever committed the scaffold as it was made. */
async function merged(
  made: string,
  folder: string,
  then: string | undefined,
  { mine, after, env }: { readonly mine: Buffer; readonly after: Buffer; readonly env: NodeJS.ProcessEnv },
): Promise<Pick<Updated, 'after' | 'isTorn'>> {
  const torn = { after: after.toString(), isTorn: true }
  const base = then === undefined ? undefined : askGit(env, folder, 'cat-file', 'blob', then)
  if (base?.status !== 0) return torn
  // Beside what was made, in the same temporary folder.
  const sides = [mine, base.stdout, after].map((content, index) => ({ file: `${made}.${index}`, content }))
  for (const { file, content } of sides) await writeFile(file, content)
  const whole = askGit(env, folder, 'merge-file', '-p', ...sides.map(({ file }) => file))
  return whole.status === 0 ? { after: whole.stdout.toString(), isTorn: false } : torn
}
