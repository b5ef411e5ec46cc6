// Another commit of this repository in a temporary folder, ready to run. It is gone when the bench ends, however it ends.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './endings.ts'

export interface Worktree extends Disposable {
  readonly folder: string
}

/** Throws with git's or npm's words where that cannot be. */
export function openWorktree(checkout: string, commit: string): Worktree {
  const parent = mkdtempSync(join(tmpdir(), 'hookline-compare-'))
  const folder = join(parent, 'checkout')
  const remove = atEnd(() => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: checkout })
    rmSync(parent, { recursive: true, force: true })
  })
  git(checkout, 'worktree', 'add', '--detach', folder, commit)
  const [mine, theirs] = [checkout, folder].map((each) =>
    readFileSync(join(each, 'package-lock.json'), 'utf8'),
  )
  if (mine === theirs) symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  else install(folder)
  return { folder, [Symbol.dispose]: remove }
}

/**
 * What a change is best held against: what was committed, where there are changes that are not; else where this branch
 * left the main one; else the commit before.
 */
export function baseOf(checkout: string): string {
  if (git(checkout, 'status', '--porcelain', '--untracked-files=no') !== '') return commitOf(checkout, 'HEAD')
  const head = commitOf(checkout, 'HEAD')
  for (const main of ['origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['merge-base', main, 'HEAD'], {
      cwd: checkout,
      encoding: 'utf8',
    })
    if (status === 0 && stdout.trim() !== head) return stdout.trim()
  }
  return commitOf(checkout, 'HEAD~1')
}

export function commitOf(checkout: string, name: string): string {
  return git(checkout, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
}

function git(folder: string, ...args: string[]): string {
  return run('git', args, folder).trim()
}

function install(folder: string): void {
  const npm = process.env['npm_execpath'] // the npm that started us
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  if (npm?.endsWith('.js')) run(process.execPath, [npm, ...args], folder)
  else run('npm', args, folder)
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr?.trim() || error?.message || `${command} ${args.join(' ')} failed`)
  return stdout
}
