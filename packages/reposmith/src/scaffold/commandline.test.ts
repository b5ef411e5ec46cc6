import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { commandLine, type Wish } from './commandline.ts'

const FOLDER = '/absent/My Widget'

function words(wish: Partial<Wish>, folder = FOLDER): readonly string[] {
  const line = commandLine({ lang: 'python', with: 'cookiecutter', env: {}, ...wish }, folder)
  assert.ok(line.ok, JSON.stringify(line))
  return line.output
}

function refusal(wish: Partial<Wish>, folder = FOLDER): string {
  const line = commandLine({ lang: 'python', with: 'cookiecutter', env: {}, ...wish }, folder)
  assert.ok(!line.ok, JSON.stringify(line))
  assert.equal(line.error.code, 1)
  return `${line.error.message}; ${line.error.remediation}`
}

test('cookiecutter renders the bundled template into a folder of the given name', () => {
  const [tool, ...rest] = words({ var: ['author=Ada, of "Octo"'] })
  assert.equal(tool, 'cookiecutter')
  const template = rest.find((word) => word.endsWith('/template/python-cli'))
  assert.ok(template && existsSync(`${template}/cookiecutter.json`))
  assert.deepEqual(
    rest.filter((word) => word !== template),
    [
      '--no-input',
      '--default-config',
      '--output-dir',
      '/absent',
      'project_name=My Widget',
      'project_slug=my-widget',
      'module=my_widget',
      'description=A command line called my-widget',
      'author=Ada, of "Octo"',
      'email=',
      'license=MIT',
      'python_version=3.11',
      'default_branch=main',
      'repository=',
      'homepage=',
      'environment=index',
      'test_environment=testindex',
      'folder=My Widget',
    ],
  )
})

test('copier gets the same answers, and uv creates a package', () => {
  const copier = words({ with: 'copier', var: ['module=wid'] })
  assert.deepEqual(copier.slice(0, 3), ['copier', 'copy', '--defaults'])
  assert.ok(copier.includes('module=wid') && copier.includes('project_slug=my-widget'))
  assert.equal(copier.at(-1), FOLDER)
  assert.deepEqual(words({ with: 'uv' }), ['uv', 'init', '--package', '--name', 'My Widget', FOLDER])
  assert.match(refusal({ with: 'uv', var: ['a=b'] }), /uv takes no variables/)
})

test('a custom command gets the folder where it says, otherwise at its end', () => {
  assert.deepEqual(words({ with: 'maker' }), ['maker', FOLDER])
  assert.deepEqual(words({ with: 'maker --to={path} x' }), ['maker', `--to=${FOLDER}`, 'x'])
  assert.deepEqual(words({ with: `maker {who} {lang} {other}`, var: ['who={path}'] }), [
    'maker',
    '{path}',
    'python',
    '{other}',
    FOLDER,
  ])
  assert.match(refusal({ with: 'maker', var: ['who=x'] }), /who has no place in the command/)
  assert.match(refusal({ with: '  ' }), /names no command/)
})

test('variables are checked before any tool sees them', () => {
  for (const [item, says] of [
    ['-o=x', /takes name=value/],
    ['author', /takes name=value/],
    ['author=two\nlines', /line end/],
    ['folder=..', /no variable folder/],
    ['project_slug=../../evil', /takes lowercase letters/],
    ['module=../evil', /takes lowercase letters/],
    ['repository=octo/widget', /address of a page/],
    ['homepage=https://x.example/"', /address of a page/],
    ['email=ada', /an address/],
    ['license=mit', /MIT, Apache-2.0/],
    ['environment=a b', /letters, digits/],
    ['python_version=4', /version of Python/],
    ['author={{ cycler.__init__ }}', /\{\{/],
    ['author={% raw %}', /\{%/],
  ] as const) {
    assert.match(refusal({ var: [item] }), says, item)
  }
  assert.match(refusal({ var: ['author=a', 'author=b'] }), /given twice/)
  assert.match(
    refusal({ with: 'maker {path}', var: ['path=x'] }),
    /--var path is what \{path\} means already/,
  )
  assert.match(refusal({}, '/absent/…'), /project_slug/)
  assert.match(refusal({}, '/absent/{{ x }}/widget'), /name another folder/)
})

test('a token is refused wherever it would be visible, and not repeated', () => {
  const env = { CH_TOKEN: 'tok-0123456789' }
  for (const wish of [{ with: 'maker tok-0123456789' }, { var: ['author=xtok-0123456789'] }]) {
    const said = refusal({ ...wish, env })
    assert.match(said, /would hold your token/)
    assert.doesNotMatch(said, /tok-0/)
  }
})
