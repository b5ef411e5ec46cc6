import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { checkHandlers } from './check.ts'
import type { HandlerFile } from './find.ts'

test('handlers are checked without being run', async () => {
  using folder = newFolder()
  const ran = join(folder.path, 'ran')
  const cases: Record<string, [code: string, problem: RegExp | undefined]> = {
    'a.py': [`open(${JSON.stringify(ran)}, "w")\nasync def handle(p, b): pass\n`, undefined],
    'b.py': ['def handle(p, b)\n  pass\n', /b\.py:1:\d+: /],
    'c.py': ['x = 1\n', /has no function handle: write `async def handle/],
    'd.py': ['from other import handle\n', undefined],
    'e.py': [
      'try:\n    from fast import handle\nexcept ImportError:\n    def handle(p, b): pass\n',
      undefined,
    ],
    'f.py': ['return 1\n', /f\.py:1:\d+: 'return' outside function/],
    'g.py': ['def other():\n    handle = 1\n', /has no function handle/],
    'h.py': ['if True:\n    def other():\n        handle = 1\n', /has no function handle/],
    'i.py': [`if a: pass\n${'elif a: pass\n'.repeat(100)}def handle(p, b): pass\n`, undefined],
    'j.py': ['\ndef handle(payload): pass\n', /j\.py:2: handle must take two arguments/],
    'k.py': ['def handle(p, b, c): pass\n', /k\.py:1: handle must take two/],
    'l.py': ['def handle(p, b, *, c): pass\n', /l\.py:1: handle must take two/],
    'm.py': ['def handle(*all): pass\n', undefined],
    'n.py': ['def handle(p, b, c=1, *, d=2, **more): pass\n', undefined],
    'o.py': ['@given\ndef handle(p): pass\n', undefined],
    'p.py': ['def handle(p): pass\nhandle = given(handle)\n', undefined],
    'a.ts': [
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(ran)}, '')\nexport async function handle(p: object): Promise<string> { return '' }\n`,
      undefined,
    ],
    'b.mjs': ['\nexport function handle( {\n', /b\.mjs:\d+: /],
    'c.js': ['export const other = 1\n', /exports no function handle/],
    'e.js': ['exports.handle = async (p) => p.text\n', undefined],
    'm.js': ['exports["handle"] = async (p) => p.text\n', undefined],
    'n.js': [
      '"use strict"\nObject.defineProperty(exports, "handle", { enumerable: true, get: () => run })\nasync function run(p) {}\n',
      undefined,
    ],
    'f.js': ['async function handle(p) {}\nmodule.exports = { handle }\n', undefined],
    'h.js': ['const h = { handle() {} }\nmodule.exports = h\n', undefined],
    'j.js': ['module.exports = async function (p) { return p.text }\n', /exports no function handle/],
    'k.js': ['module.exports = (p) => p.text\n', /exports no function handle/],
    'l.js': ['module.exports = p => p.text\n', /exports no function handle/],
    'i.js': [String.raw`exports.handle = () => '\033'`, undefined],
    'h.mjs': ['export const a = 1, handle = () => a\n', undefined],
    'i.mjs': ['export const { handle } = { handle() {} }\n', undefined],
    'j.mjs': ['export const a = 1\nconst handle = () => a\n', /exports no function handle/],
    'k.mjs': ['export const h = { handle: () => 1 }\n', /exports no function handle/],
    'i.ts': ["export const a = 1, handle: () => string = () => 'hi'\n", undefined],
    'g.mjs': ['exports.handle = async (p) => p.text\n', /exports no function handle/],
    'd.mjs': ["export { other as handle } from './x.mjs'\n", undefined],
    'e.ts': ['export enum handle { A }\n', /e\.ts:1: .*enum/i],
    'f.ts': ['\nexport function handle() {\n  return 1 +* 2\n}\n', /f\.ts:3: /],
  }
  const files = Object.entries(cases).map(([name, [code]]): HandlerFile => {
    const path = join(folder.path, name)
    writeFileSync(path, code)
    return { name, path, stamp: '', language: name.endsWith('.py') ? 'python' : 'node' }
  })
  const problems = await checkHandlers(files)
  for (const [name, [, expected]] of Object.entries(cases)) {
    const problem = problems.get(join(folder.path, name))
    if (expected) assert.match(problem ?? 'none', expected)
    else assert.equal(problem, undefined)
  }
  assert.equal(existsSync(ran), false)
})

test('without Python the problem explains how to install it', async () => {
  process.env['HOOKLINE_PYTHON'] = '/nowhere/python3'
  try {
    const problems = await checkHandlers([
      { name: 'handler.py', path: '/x/handler.py', language: 'python', stamp: '' },
    ])
    assert.match(
      problems.get('/x/handler.py') ?? '',
      /needs Python 3, and \/nowhere\/python3 cannot be run: install it/,
    )
  } finally {
    delete process.env['HOOKLINE_PYTHON']
  }
})
