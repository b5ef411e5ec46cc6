// Which repository on the host a folder is a clone of.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { splitName, type FullName } from './names.ts'

/** From the folder's git config; undefined if there is none, or if it names a folder, or another host than `host`. */
export async function originOf(folder: string, host: string): Promise<FullName | undefined> {
  const config = await readText(join(await gitFolderOf(folder), 'config'))
  const [, url = ''] = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(config) ?? []
  // git clone: what has a slash before its first colon is a path.
  if (!/^(?!file:)[^/]+:/.test(url)) return undefined
  // The host in `git@work:octo/widget.git` may be an ssh alias, so only http(s) URLs are compared.
  const page = /^https?:/.test(url) ? URL.parse(url) : null
  if (page && page.host !== host) return undefined
  const [, owner = '', name = ''] = /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? []
  return splitName(`${owner}/${name}`)
}

/** In a worktree or submodule `.git` is a file with the path; a worktree's config is that of the main repository. */
async function gitFolderOf(folder: string): Promise<string> {
  const [, to] = /^gitdir: (.+)$/m.exec(await readText(join(folder, '.git'))) ?? []
  if (to === undefined) return join(folder, '.git')
  const own = resolve(folder, to)
  return resolve(own, (await readText(join(own, 'commondir'))).trim())
}

/** Empty if the file cannot be read. */
async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '')
}
