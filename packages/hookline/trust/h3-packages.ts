// H3: what is installed. Nothing in it runs at install time, nothing comes along unseen, and it can be made again.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../test/folder.ts'
import { figure } from './figure.ts'

const root = join(import.meta.dirname, '../../..')
const MOST_DEPENDENCIES = 11

export default figure({
  id: 'H3',
  promise:
    'The packages hold the files of their sources and no others, are the same when they are made again, run nothing when they are installed, and every package that they need has its hash',
  goal: '0 files too many or too few, the same hash twice, 0 install scripts, at most 11 dependencies each, 0 without a hash',
  small: { builds: 1 },
  whole: { builds: 2 },
  measure({ builds }) {
    const packages = globSync('packages/*/tsconfig.build.json', { cwd: root }).map((file) =>
      join(root, file.replace('/tsconfig.build.json', '')),
    )
    const first = packEach(packages, { isBuilt: false })
    const again = packEach(packages, { isBuilt: builds === 1 })
    const strays = first.flatMap(({ files }, n) => difference(files, expected(packages[n] ?? '')))
    const differing = first.filter(({ hash }, n) => hash !== again[n]?.hash).length
    const most = Math.max(
      ...packages.map((folder) => Object.keys(manifestOf(folder).dependencies ?? {}).length),
    )
    const scripts = packages.flatMap(installScripts).length + lockedScripts()
    const unhashed = run(process.execPath, 'scripts/lockfiles.mjs')
    const isHashed = unhashed.endsWith(' 0 faults')
    const count = first.reduce((sum, { files }) => sum + files.length, 0)
    return {
      figure: `${packages.length} packages of ${count} files, ${strays.length} strays${strays.length > 0 ? ` (${strays.slice(0, 3).join(', ')})` : ''}, ${differing} differ when made again, ${scripts} install scripts, at most ${most} dependencies; ${unhashed}. Known holes are asked of the registry, which needs a network: npm audit`,
      isMet: strays.length + differing + scripts === 0 && most <= MOST_DEPENDENCIES && isHashed,
    }
  },
})

interface Packed {
  readonly files: readonly string[]
  readonly hash: string
}

function packEach(packages: readonly string[], { isBuilt }: { isBuilt: boolean }): readonly Packed[] {
  using folder = newFolder()
  return packages.map((each) => {
    // Packing builds.
    const how = isBuilt ? ['--ignore-scripts'] : []
    const said = run('npm', 'pack', each, '--json', '--pack-destination', folder.path, ...how)
    const [packed] = JSON.parse(said.slice(said.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ]
    const bytes = readFileSync(join(folder.path, packed.filename))
    return {
      files: packed.files.map(({ path }) => path),
      hash: createHash('sha256').update(bytes).digest('hex'),
    }
  })
}

/** A file of each source, and what goes along as it is. */
function expected(folder: string): readonly string[] {
  const inFolder = (pattern: string) => globSync(pattern, { cwd: folder })
  const compiled = inFolder('src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, '.js'))
  const copied = [...compiled, ...inFolder('src/**/*.{py,mjs,yaml,json}')]
  const others = (manifestOf(folder).files ?? []).filter((each) => each !== 'dist')
  // Also what begins with a dot, which a pattern leaves out.
  const asTheyAre = others.flatMap((each) =>
    readdirSync(join(folder, each), { recursive: true, withFileTypes: true }),
  )
  return [
    'LICENSE',
    'README.md',
    'package.json',
    ...copied.map((file) => file.replace('src/', 'dist/')),
    ...asTheyAre
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name).slice(folder.length + 1)),
  ]
}

function difference(some: readonly string[], others: readonly string[]): readonly string[] {
  const [one, other] = [new Set(some), new Set(others)]
  return [...one.symmetricDifference(other)]
}

interface Manifest {
  readonly files?: readonly string[]
  readonly dependencies?: object
  readonly scripts?: object
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** npm runs these for whoever installs it. */
const AT_INSTALL = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']

function installScripts(folder: string): readonly string[] {
  return Object.keys(manifestOf(folder).scripts ?? {}).filter((name) => AT_INSTALL.includes(name))
}

/** Packages that are installed with ours and have one. */
function lockedScripts(): number {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>
  }
  return Object.values(lock.packages).filter((each) => each.hasInstallScript && !each.dev).length
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}
