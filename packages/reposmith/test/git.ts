// Git over HTTP, as the host serves it: real bare repositories behind git's own backend, which wants the token for a push.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

export interface GitServer extends Disposable {
  readonly root: string
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    body: readonly Buffer[],
  ) => Promise<void>
  readonly has: (owner: string, name: string, branch: string) => boolean
}

/** `/octo/widget.git/info/refs` */
export function isGit(url: string): boolean {
  return /^\/[^/]+\/[^/]+\.git\//.test(url)
}

export function gitServer(token: string): GitServer {
  const root = mkdtempSync(join(tmpdir(), 'reposmith-git-'))
  const folderOf = (owner: string, name: string): string => join(root, owner, `${name}.git`)
  return {
    root,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
    has: (owner, name, branch) => {
      const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]
      return (
        existsSync(folderOf(owner, name)) &&
        spawnSync('git', args, { cwd: folderOf(owner, name) }).status === 0
      )
    },
    async answer(request, response, body) {
      const url = new URL(request.url ?? '', 'http://host')
      const [, , encoded = ''] = (request.headers.authorization ?? '').split(/^(Basic )/)
      // Whoever reads needs none.
      const isRead = /upload-pack/.test(url.href)
      if (!isRead && Buffer.from(encoded, 'base64').toString() !== `x-access-token:${token}`) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
        return
      }
      const [, owner = '', name = ''] = /^\/([^/]+)\/([^/]+)\.git\//.exec(url.pathname) ?? []
      makeBare(folderOf(owner, name))
      const child = spawn('git', ['http-backend'], {
        env: {
          PATH: process.env['PATH'] ?? '',
          GIT_PROJECT_ROOT: root,
          GIT_HTTP_EXPORT_ALL: '1',
          REMOTE_USER: 'ada',
          REQUEST_METHOD: request.method ?? '',
          PATH_INFO: url.pathname,
          QUERY_STRING: url.search.slice(1),
          CONTENT_TYPE: request.headers['content-type'] ?? '',
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      child.stdin.end(Buffer.concat(body))
      const output = await buffer(child.stdout)
      const end = output.indexOf('\r\n\r\n')
      const headers = output
        .toString('utf8', 0, end)
        .split('\r\n')
        .map((line) => line.split(/: (.*)/))
      const status = Number(headers.find(([key]) => key === 'Status')?.[1]?.slice(0, 3) ?? 200)
      response.writeHead(
        status,
        Object.fromEntries(headers.filter(([key]) => key !== 'Status')) as Record<string, string>,
      )
      response.end(output.subarray(end + 4))
    },
  }
}

function makeBare(folder: string): void {
  if (existsSync(folder)) return
  mkdirSync(folder, { recursive: true })
  spawnSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder])
}
