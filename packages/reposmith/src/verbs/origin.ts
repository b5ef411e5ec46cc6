// Which repository on the host a folder is a clone of.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { splitName, type FullName } from './names.ts'

/** From the folder's own git settings; undefined where there are none, or where they name another host than the one we ask. */
export async function originOf(folder: string, host: string): Promise<FullName | undefined> {
  const config = await readText(join(await gitFolderOf(folder), 'config'))
  const url = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(config)?.[1]
  // The host of `git@work:octo/widget.git` may be a name of ssh's own.
  const page = /^https?:/.test(url ?? '') ? URL.parse(url ?? '') : null
  if (page && page.host !== host) return undefined
  const [, owner = '', name = ''] = /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url ?? '') ?? []
  return splitName(`${owner}/${name}`)
}

/** In a worktree or a submodule `.git` is a file that says where; of a worktree the settings are those of the whole repository. */
async function gitFolderOf(folder: string): Promise<string> {
  const [, to] = /^gitdir: (.+)$/m.exec(await readText(join(folder, '.git'))) ?? []
  if (to === undefined) return join(folder, '.git')
  const own = resolve(folder, to)
  return resolve(own, (await readText(join(own, 'commondir'))).trim())
}

/** Empty where there is no such file. */
async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '')
}
