// `reposmith repo create`
import type { Command } from './command.ts'
import { APPLY, HOST_EXITS, HOST_OPTIONS, REFRESH, REPOSITORY_READS, REPOSITORY_WRITES } from './shared.ts'

export const createCommands = [
  {
    name: 'repo create',
    summary: 'Create a repository and set its Actions permissions',
    details: `A dry-run needs neither network nor token: it shows the requests that \`--apply\` sends for a new repository. With \`--refresh\` it
reads the current state first, and shows the differences.

Run it again after a failure: it reads the current state, sends what is missing and reports \`already_existed\`. For an existing repository
it sets the Actions permissions, the workflow token's permission and missing topics; with \`--template\`, and on Gitea, also a homepage where
there is none. Anything else that differs (private or public, description, homepage) is left, with a warning.`,
    arguments: [{ name: 'name', description: 'the repository, as name or owner/name', required: true }],
    options: [
      { name: 'org', type: 'text', value: 'ORG', description: "the organization (the token's own account)" },
      { name: 'private', type: 'flag', description: 'the same as --visibility private' },
      {
        name: 'visibility',
        type: 'text',
        value: 'WHO',
        choices: ['public', 'private', 'internal'],
        description: 'who may see it (public); internal needs an organization of an enterprise',
      },
      { name: 'description', type: 'text', value: 'TEXT', description: 'one-line description' },
      { name: 'homepage', type: 'text', value: 'URL', description: 'its home page' },
      { name: 'topic', type: 'list', value: 'TOPIC', description: 'a topic; may be repeated' },
      { name: 'template', type: 'text', value: 'OWNER/REPO', description: 'a template repository to copy' },
      {
        name: 'license',
        type: 'text',
        value: 'KEY',
        notEmpty: true,
        description: 'add this license, such as mit',
      },
      {
        name: 'gitignore',
        type: 'text',
        value: 'NAME',
        notEmpty: true,
        description: 'add this .gitignore, such as Python',
      },
      {
        name: 'actions',
        type: 'text',
        value: 'WHICH',
        choices: ['all', 'local_only', 'selected', 'off'],
        description: 'which actions may run (all)',
      },
      {
        name: 'allowAction',
        type: 'list',
        value: 'PATTERN',
        description: 'with --actions selected: an action that may run, such as octo/*; may be repeated',
      },
      {
        name: 'workflowToken',
        type: 'text',
        value: 'LEVEL',
        choices: ['read', 'write'],
        description: "what a workflow's token may do with the contents (read)",
      },
      { name: 'workflowApprovePrs', type: 'flag', description: 'let workflows approve pull requests' },
      APPLY,
      REFRESH,
      ...HOST_OPTIONS,
    ],
    changes: true,
    endpoints: ['GET /user', ...REPOSITORY_READS, ...REPOSITORY_WRITES],
    examples: [
      { run: 'reposmith repo create widget --org octo --private', shows: 'what would be sent' },
      { run: 'reposmith repo create widget --org octo --private --apply', shows: 'the created repository' },
    ],
    exits: { 1: 'an argument is wrong, or the host lacks what was asked for', ...HOST_EXITS },
  },
] as const satisfies readonly Command[]
