// `learn`: one page that teaches reposmith, to a person or to an agent.
import { SCOPES, TOKEN_VARIABLES } from '../host/token.ts'
import { commands } from '../table/commands.ts'
import { TRUSTED_PUBLISHING_DOCS } from '../resources/publisher.ts'
import { explainable } from './explain.ts'
import { usageOf } from './help.ts'
import { readVersion } from './version.ts'

const PURPOSE =
  'Creates and prepares sibling repositories on a code host: the repository with its Actions permissions, a scaffold, and the environment of trusted publishing.'

const EXITS = {
  '0': 'success',
  '1': 'user-input error',
  '2': 'environment/setup error',
  '3': 'authentication error',
  '4': 'upstream API error',
} as const

/** Markdown. */
export function learn(): string {
  const lines = commands.map((command) => `- \`${usageOf(command)}\`: ${command.summary}`)
  return `# Reposmith

## Purpose

${PURPOSE}

## Commands

${lines.join('\n')}

## Mutation safety

Every command that changes something is a dry-run: it shows the requests and sends none. \`--apply\` sends those, less what is there
already and with what people set by hand kept; \`--refresh\` reads that first, and shows it. A dry-run of \`repo create\` needs neither network nor token. Running a command again sends only what is missing.

## Authentication

A token in ${TOKEN_VARIABLES.join(', ')}: the first one set; else that of \`gh\`. Scopes: \`repo\`, \`admin:repo_hook\`; for an organization also \`admin:org\`.
It is sent to its own host only. Check it with \`reposmith whoami\`.

## Trusted publishing

\`repo env\` creates the environment that a release runs in, and prints the fields to enter at the package index: no index has an API for that.
\`doctor\` checks that the workflow and the environment fit together. See ${TRUSTED_PUBLISHING_DOCS}

## Machine-readable output

\`--json\`, before or after the verb: one object on stdout. An error is one line on stderr: \`{"code","message","remediation","kind"}\`.

## Exit-code policy

${Object.entries(EXITS)
  .map(([code, why]) => `- ${code}: ${why}`)
  .join('\n')}
- 130: stopped with Ctrl-C; it reports what was applied

## More detail

${explainable()
  .map((name) => `- \`reposmith explain ${name}\``)
  .join('\n')}`
}

/** The same facts as data, under stable keys that existing scripts parse. */
export function learnAsData() {
  return {
    tool: 'reposmith',
    version: readVersion(),
    purpose: PURPOSE,
    commands: commands.map(({ name, summary, changes }) => ({ path: name.split(' '), summary, changes })),
    exit_codes: EXITS,
    auth: {
      env_vars: TOKEN_VARIABLES,
      required_scopes: SCOPES.always,
      org_extra_scopes: SCOPES.organizations,
    },
    trusted_publishing_docs: TRUSTED_PUBLISHING_DOCS,
    json_support: true,
    explain_pointer: 'reposmith explain <path>',
    markdown: learn(),
  }
}
