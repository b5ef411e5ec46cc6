// What a code host sends when a workflow has run, as long as the real ones are: the fields of our sample, and links, which the real ones
// are full of.
import { readFileSync } from 'node:fs'

/** Those of @octokit/webhooks-examples have 19,215 bytes. */
const BYTES = 19_200
const MARKER = '<marker>'

const sample = JSON.parse(
  readFileSync(
    new URL('../src/senders/github/fixtures/workflow_run.completed-success.json', import.meta.url),
    'utf8',
  ),
) as { workflow_run: { display_title: string } }
sample.workflow_run.display_title = MARKER
const { length } = JSON.stringify(sample)
const links = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [
    `part${n}_url`,
    `https://api.github.com/repos/acme/kettle/part${n}{/name}`,
  ]),
)
const repositories = Array<typeof links>(Math.floor((BYTES - length) / JSON.stringify(links).length)).fill(
  links,
)
const [head = '', tail = ''] = JSON.stringify({ ...sample, repositories }).split(MARKER)

/** Before and after the title, which tells one payload from another. ASCII. */
export const PAYLOAD_HEAD = head
export const PAYLOAD_TAIL = tail
