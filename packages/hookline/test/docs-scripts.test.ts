// What a page has its reader run or look up is there.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = `${import.meta.dirname}/../../..`

test('every script that a page names is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: object }
  const pages = globSync(['*.md', 'docs/*.md', 'decisions/*.md', 'packages/*/test/*.md'], { cwd: root })
  assert.ok(pages.length > 20)
  for (const page of pages) {
    for (const [, name = ''] of readFileSync(`${root}/${page}`, 'utf8').matchAll(/npm run ([\w:-]+)/g))
      assert.ok(name in scripts, `${page}: npm run ${name}`)
  }
})

test('the list of decisions has each of them by its name', () => {
  const cwd = `${root}/decisions`
  const listed = [...readFileSync(`${cwd}/README.md`, 'utf8').matchAll(/^- \[(\S+)\]\((\S+)\): /gm)]
  for (const [, name, file] of listed) assert.equal(name, file)
  const files = globSync('*.md', { cwd }).filter((file) => file !== 'README.md')
  assert.deepEqual(new Set(listed.map(([, name]) => name)), new Set(files))
})

test('every page of docs/ is in its list of tasks', () => {
  const cwd = `${root}/docs`
  const listed = readFileSync(`${cwd}/README.md`, 'utf8')
  for (const page of globSync('*.md', { cwd }))
    assert.ok(page === 'README.md' || listed.includes(`](${page})`), page)
})
