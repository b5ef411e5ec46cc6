// Makes what is published: JavaScript of each package that is named, or of every one, in its dist/, beside it what is no TypeScript, the
// license, and for Hookline the docs.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'

const named = process.argv.slice(2)
const packages =
  named.length > 0
    ? named
    : globSync('*/tsconfig.build.json', { cwd: 'packages' }).map((file) => file.split('/')[0])
for (const name of packages) {
  const folder = `packages/${name}`
  rmSync(`${folder}/dist`, { recursive: true, force: true })
  const { status } = spawnSync('node_modules/.bin/tsc', ['-p', `${folder}/tsconfig.build.json`], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  cpSync('LICENSE', `${folder}/LICENSE`)
  // Workers that run as they are, and the presets with their fixtures.
  for (const file of globSync('src/**/*.{py,mjs,yaml,json}', { cwd: folder })) {
    cpSync(`${folder}/${file}`, `${folder}/${file.replace('src/', 'dist/')}`)
  }
}
if (packages.includes('hookline')) {
  rmSync('packages/hookline/docs', { recursive: true, force: true })
  cpSync('docs', 'packages/hookline/docs', { recursive: true })
}
