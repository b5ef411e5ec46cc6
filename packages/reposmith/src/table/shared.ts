// Options and requests that several commands share, and the exit codes of every command that talks to the host.
import type { Option } from './command.ts'

export const APPLY = {
  name: 'apply',
  type: 'flag',
  description: 'make the changes; without it, only show what would be sent',
} as const satisfies Option

export const REFRESH = {
  name: 'refresh',
  type: 'flag',
  description: 'read the current state first, so that the dry-run shows the differences',
} as const satisfies Option

export const OPEN = {
  name: 'open',
  type: 'flag',
  description: 'with --apply: open the page of the index in a browser',
} as const satisfies Option

export const HOST_OPTIONS = [
  {
    name: 'host',
    type: 'text',
    value: 'HOST',
    description: 'an enterprise host, such as git.example.org; its API address is derived',
  },
  {
    name: 'apiUrl',
    type: 'text',
    value: 'URL',
    description: "the API's base address (CODEHOST_API_URL, else the public host)",
  },
  {
    name: 'timeout',
    type: 'number',
    value: 'SECONDS',
    default: 30,
    // Node's fetch gives up after five minutes, whatever it is told.
    range: [1, 300],
    description: 'how long one request may take',
  },
  {
    name: 'maxWait',
    type: 'number',
    value: 'SECONDS',
    default: 60,
    range: [0, 3600],
    description: 'total waiting time, for rate limits and between retries',
  },
] as const satisfies readonly Option[]

/** The requests that a repository and its permissions take. */
export const REPOSITORY_READS = [
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/topics',
  'GET /repos/{owner}/{repo}/actions/permissions',
  'GET /repos/{owner}/{repo}/actions/permissions/selected-actions',
  'GET /repos/{owner}/{repo}/actions/permissions/workflow',
] as const

export const REPOSITORY_WRITES = [
  'POST /user/repos',
  'POST /orgs/{org}/repos',
  'POST /repos/{owner}/{repo}/generate',
  'PATCH /repos/{owner}/{repo}',
  'PUT /repos/{owner}/{repo}/topics',
  'PUT /repos/{owner}/{repo}/actions/permissions',
  'PUT /repos/{owner}/{repo}/actions/permissions/selected-actions',
  'PUT /repos/{owner}/{repo}/actions/permissions/workflow',
] as const

export const HOST_EXITS = {
  2: 'there is no token',
  3: 'the token is refused, or lacks a scope',
  4: 'the host refused or failed, a rate limit was hit, or it cannot be reached',
} as const
