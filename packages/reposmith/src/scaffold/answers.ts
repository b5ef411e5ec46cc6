// What a scaffold was made from, kept in the folder: a newer template can then be brought in, and an untouched scaffold told.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from './compare.ts'
import type { Variables } from './variables.ts'

export const ANSWERS = '.reposmith-answers.json'

export interface Answers {
  readonly template: string
  readonly answers: Variables
  /** Each file as the template made it, by the id that git gives such a content. */
  readonly files: Readonly<Record<string, string>>
}

export async function writeAnswers(folder: string, template: string, answers: Variables): Promise<void> {
  const files: Record<string, string> = {}
  for (const name of await listFiles(folder)) files[name] = blobId(await readFile(join(folder, name)))
  const kept: Answers = { template, answers, files }
  await writeFile(join(folder, ANSWERS), `${JSON.stringify(kept, null, 2)}\n`)
}

/** Undefined if there are none, or none that can be read. */
export async function readAnswers(folder: string): Promise<Answers | undefined> {
  try {
    const { template, answers, files } = JSON.parse(
      await readFile(join(folder, ANSWERS), 'utf8'),
    ) as Partial<Answers>
    const isWhole = typeof template === 'string' && isTexts(answers) && isTexts(files)
    return isWhole ? { template, answers, files } : undefined
  } catch {
    return undefined
  }
}

/** Whether the folder holds the scaffold, the whole of it, and nothing else. */
export async function isUntouched(folder: string): Promise<boolean> {
  const kept = await readAnswers(folder)
  if (!kept) return false
  const names = (await listFiles(folder)).filter((name) => name !== ANSWERS)
  if (names.length !== Object.keys(kept.files).length) return false
  for (const name of names) {
    const content = await readFile(join(folder, name)).catch(() => undefined)
    if (!content || blobId(content) !== kept.files[name]) return false
  }
  return true
}

export function blobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  )
}
