// Makes what is published: JavaScript and types of every package in its dist/, beside them what is no TypeScript, and the license.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'

for (const config of globSync('packages/*/tsconfig.build.json')) {
  const folder = config.replace('/tsconfig.build.json', '')
  rmSync(`${folder}/dist`, { recursive: true, force: true })
  const { status } = spawnSync('node_modules/.bin/tsc', ['-p', config], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  cpSync('LICENSE', `${folder}/LICENSE`)
  // Workers that run as they are, and the presets with their fixtures.
  for (const file of globSync('src/**/*.{py,mjs,yaml,json}', { cwd: folder })) {
    cpSync(`${folder}/${file}`, `${folder}/${file.replace('src/', 'dist/')}`)
  }
}
