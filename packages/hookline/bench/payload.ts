// What a code host sends when a workflow has run, as long as the real ones are: the fields of our sample and ballast.
import { readFileSync } from 'node:fs'

/** Those of @octokit/webhooks-examples have 19,215 bytes. */
const BYTES = 19_200
const MARKER = '<marker>'

const sample = JSON.parse(
  readFileSync(
    new URL('../src/bots/presets/fixtures/github/workflow_run.completed-success.json', import.meta.url),
    'utf8',
  ),
) as { workflow_run: { display_title: string } }
sample.workflow_run.display_title = MARKER
const { length } = JSON.stringify(sample)
const step = { name: 'Boil the water', status: 'completed', conclusion: 'success', number: 1 }
const steps = Array<typeof step>(Math.floor((BYTES - length) / JSON.stringify(step).length)).fill(step)
const [head = '', tail = ''] = JSON.stringify({ ...sample, steps }).split(MARKER)

/** Before and after the title, which tells one payload from another. ASCII. */
export const PAYLOAD_HEAD = head
export const PAYLOAD_TAIL = tail
