// A workflow of another repository, as the host has it.
import { wrong, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'
import type { Origin } from '../workflow/publishing.ts'
import { readWorkflow, type Workflow } from '../workflow/workflow.ts'

export async function readCalled(
  client: Client,
  file: string,
  { owner, name, ref }: Origin,
): Promise<Answer<Workflow>> {
  const where = path('repos', owner, name, 'contents', file)
  const read = await client.read(`${where}?ref=${encodeURIComponent(ref)}`)
  if (!read.ok) return read
  const full = `${owner}/${name}/${file}@${ref}`
  const { encoding, content } = (read.output ?? {}) as Readonly<Record<string, unknown>>
  return encoding === 'base64' && typeof content === 'string'
    ? readWorkflow(Buffer.from(content, 'base64').toString('utf8'), full)
    : wrong('not_found', `the host does not show ${full}`, 'use a token that may read it')
}
