import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/rig.ts'
import { compare, listFiles } from './compare.ts'

/** Two folders: the tool's output, and the existing one. */
function twoTrees(made: Files, there: Files) {
  const root = temporaryFolder()
  for (const [name, files] of Object.entries({ made, there })) {
    mkdirSync(join(root.path, name))
    for (const [file, content] of Object.entries(files)) write(join(root.path, name, file), content)
  }
  return { ...root, made: join(root.path, 'made'), folder: join(root.path, 'there') }
}

type Files = Readonly<Record<string, string>>

/** `-> target` is a link. */
function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (content.startsWith('-> ')) symlinkSync(content.slice(3), path)
  else writeFileSync(path, content)
}

test('files are new, changed or the same; files only in the target do not count', async () => {
  using trees = twoTrees(
    { 'a/new': '1', 'a/same': '1', changed: '1', link: '-> a/same', 'b/link': '-> ../changed' },
    { 'a/same': '1', changed: '2', link: '-> a/same', 'b/link': '-> ../a/same', mine: 'x' },
  )
  const compared = await compare(trees.made, trees.folder)
  assert.ok(compared.ok)
  assert.deepEqual(
    compared.output.map(({ file, state }) => `${state} ${file}`),
    ['new a/new', 'same a/same', 'changed b/link', 'changed changed', 'same link'],
  )
})

test('a missing folder counts as empty, and .git is skipped', async () => {
  using trees = twoTrees({ '.git/config': '1', 'sub/.git/config': '1', 'sub/a': '1' }, {})
  assert.deepEqual(await listFiles(join(trees.folder, 'absent')), [])
  assert.deepEqual(await listFiles(trees.made), [join('sub', 'a')])
})

for (const [says, made, there] of [
  [/^out is a link that leads out of the folder, to \/etc/, { out: '-> /etc/passwd' }, {}],
  [/^a\/out is a link that leads out of the folder/, { 'a/out': '-> ../../there' }, {}],
  [
    /^out is a link that leads out of the folder/,
    { 'a/in': '1', 'b/c/by': '-> ../../a', out: '-> b/c/by/../..' },
    {},
  ],
  [/^docs is a link that leads out of the folder/, { 'docs/x': '1' }, { docs: '-> /tmp' }],
  [/^x is a link that leads out of the folder/, { x: '1' }, { x: '-> ../made/x' }],
  [/^x is a link that leads out of the folder/, { x: '1' }, { x: '-> nowhere' }],
  [/^docs is a file where the scaffold has a folder/, { 'docs/x': '1' }, { docs: '1' }],
  [/^x is a folder where the scaffold has a file/, { x: '1' }, { 'x/y': '1' }],
] as const satisfies readonly (readonly [RegExp, Files, Files])[]) {
  test(`everything is refused: ${says.source}`, async () => {
    using trees = twoTrees({ ...made, fine: '1' }, there)
    const compared = await compare(trees.made, trees.folder)
    assert.ok(!compared.ok)
    assert.match(compared.error.message, says)
    assert.equal(compared.error.code, 1)
  })
}

test('an unreadable file is a setup error, not a bug', async () => {
  using trees = twoTrees({ x: '1' }, { x: '1' })
  // Permissions do not stop root; a file larger than Node reads at once does.
  for (const folder of [trees.made, trees.folder]) truncateSync(join(folder, 'x'), 2 ** 40)
  const compared = await compare(trees.made, trees.folder)
  assert.ok(!compared.ok)
  assert.equal(compared.error.code, 2)
  assert.match(compared.error.message, /^cannot read: /)
})

test('a pipe where the scaffold has a file differs, and is not read: nobody may ever write to it', async () => {
  using trees = twoTrees({ x: '' }, {})
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(trees.folder, 'x')])
  assert.deepEqual(await compare(trees.made, trees.folder), {
    ok: true,
    output: [{ file: 'x', state: 'changed' }],
  })
})

test('a link within the folder may be written through', async () => {
  using trees = twoTrees({ 'docs/x': '1' }, { 'real/x': '2', docs: '-> real' })
  assert.deepEqual(await compare(trees.made, trees.folder), {
    ok: true,
    output: [{ file: join('docs', 'x'), state: 'changed' }],
  })
})
