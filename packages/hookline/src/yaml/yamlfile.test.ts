import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { formatProblem, readYaml } from './yamlfile.ts'

const schema = z.strictObject({
  name: z.string(),
  size: z.strictObject({ width: z.int().default(1) }).optional(),
  tags: z.array(z.string()).max(4).default([]),
})

function problems(text: string): string[] {
  const read = readYaml(text, 'x.yaml', schema)
  assert.equal(read.ok, false)
  return read.ok ? [] : read.problems.map(formatProblem)
}

test('a valid file gives its value, with defaults', () => {
  const read = readYaml('name: a # me\nsize: {}\n', 'x.yaml', schema)
  assert.deepEqual(read.ok && read.value, { name: 'a', size: { width: 1 }, tags: [] })
})

test('syntax errors carry line and column', () => {
  assert.deepEqual(problems('name: a\ntags: [a, b\n')[0]?.slice(0, 10), 'x.yaml:3:1')
  assert.deepEqual(problems('name: a\nsize: {kind: a, kind : b}\n"name": b\n'), [
    'x.yaml:2:17: kind is given twice: keep one of them',
    'x.yaml:3:1: "name" is given twice: keep one of them',
  ])
  assert.deepEqual(problems('name: a\n---\nname: b\n'), [
    'x.yaml:2:1: a second document begins here, but a file has only one: remove this line',
  ])
  assert.match(problems('name: !secret a\n')[0] ?? '', /^x\.yaml:1:7: Unresolved tag/)
})

test('a name read as a comment is reported once, at its position', () => {
  const told = (at: string) => [`x.yaml:${at}: # begins a comment: write "#name" in quotes`]
  assert.deepEqual(problems('name: a\ntags: [#a, #b]\nsize: {}\n'), told('2:8'))
  assert.deepEqual(problems('name: "[, #a"\ntags: ["#a", \'it\', x, #b]\n'), told('2:23'))
  assert.deepEqual(problems('name: a\nlimits: {tags: [ #a]}\n'), told('2:18'))
  assert.notDeepEqual(problems('name: a\ntags: [a, # b\n'), told('2:11'))
  assert.equal(readYaml('name: a\ntags: [a, #b\n  c]\n', 'x.yaml', schema).ok, true)
})

test('a name read as a comment is reported where it leaves an entry of a list, or channels, empty', () => {
  const told = '# begins a comment: write "#name" in quotes'
  assert.deepEqual(problems('name: a\ntags:\n  - x\n  - #b\n  - #c\n'), [
    `x.yaml:4:5: ${told}`,
    `x.yaml:5:5: ${told}`,
  ])
  assert.deepEqual(problems('channels: #builds\n'), [`x.yaml:1:11: ${told}`])
  assert.equal(readYaml('name: a\nchannels: #["#a"]\n', 'x.yaml', z.object({})).ok, true)
  assert.equal(readYaml('name: a\ntags: # few\n  - b #c\n  - #d\n    e\n', 'x.yaml', schema).ok, true)
})

test('a text that is not indented further than its key is reported as such', () => {
  const told = 'here should be a key and a colon: indent a text further than its own key'
  for (const text of ['  PR {n}\n', '  [{n}]\n', '  one\n  two: {n}\n'])
    assert.deepEqual(problems(`limits:\n  bob: |\n${text}`), [`x.yaml:3:3: ${told}`])
})

test('what is no list is not counted', () => {
  assert.deepEqual(problems('name: a\ntags: seven\n'), [
    'x.yaml:2:7 tags: must be a list: write [ ] around it',
  ])
})

test('a text that needs quotes is reported once, where it goes wrong', () => {
  const told = {
    '{n}': '1:7 name: must be text: put it in quotes',
    '[{n}]': '1:7 name: must be text: put it in quotes',
    '{n} pushed {m}': '1:11: nothing more is expected here: put the whole text in quotes',
    '[{n}] pushed': '1:13: nothing more is expected here: put the whole text in quotes',
    '"{n}" pushed': '1:13: nothing more is expected here: put the whole text in quotes',
    'Build: {n}': '1:7: a second ": " in one line: put the whole text in quotes',
    '@{n}': '1:7: no text begins with this character: put the whole text in quotes',
    '*{n}*': '1:7: no text begins with this character: put the whole text in quotes',
    '#{n}': '1:7: # begins a comment: put the whole text in quotes',
    'PR #{n} by {m}': '1:10: # begins a comment: put the whole text in quotes',
    '> {n}': '1:9: after | or > the text begins on the next line',
    '"\\d"': '1:8: in double quotes \\ begins an escape: write \\\\, or put the text in single quotes',
    'a\n  b: c': '1:7: the line below is indented too far, or this text wants quotes',
  }
  for (const [text, problem] of Object.entries(told))
    assert.equal(problems(`name: ${text}\ntags: []\n`)[0], `x.yaml:${problem}`)
  assert.equal(problems('name: [x] {n}\nlimits: {bob: {calls: 1}}\ntags: ["#a"]\n').length, 1)
  const block = readYaml('name: |\n  PR #{n}: {m}\n', 'x.yaml', schema)
  assert.deepEqual(block.ok && block.value.name, 'PR #{n}: {m}\n')
})

test('no problem quotes the file, which may contain a secret', () => {
  for (const text of [
    'name: [x] {n}\ntags: ["sesame"]\n',
    'name: "a" b\ntags:\n  - sesame\n',
    'name: > sesame\n',
    'name: !sesame\n',
    'name: *sesame\n',
    'tags: [a] sesame: b\n',
    'name: {a: sesame}}\ntags: [sesame]\n',
  ])
    assert.doesNotMatch(problems(text).join('\n'), /sesame/)
})

test('aliases are refused', () => {
  assert.deepEqual(problems('name: &n a\ntags: [*n]\n'), [
    'x.yaml:2:8: aliases are not allowed: write the value out',
  ])
})

test('at most 64 KiB are read', () => {
  assert.equal(readYaml(`name: ${'a'.repeat(65_530)}`, 'x.yaml', schema).ok, true)
  assert.deepEqual(problems(`name: ${'é'.repeat(33_000)}`), ['x.yaml:1:1: is longer than 64 KiB: shorten it'])
})

test('what would take long is refused before it is parsed, where it exceeds the bound', () => {
  const told = {
    [`name: ${'['.repeat(20_000)}${']'.repeat(20_000)}`]: '1:57: is nested too deeply',
    [`name: a\nsize: ${'{a: '.repeat(8_000)}`]: '2:207: is nested too deeply',
    ['- '.repeat(20_000)]: '1:101: is nested too deeply',
    [`name: [a\n${'a: '.repeat(20_000)}`]: '2:152: is nested too deeply',
    [`name: ${'a: '.repeat(20_000)}`]: '1:155: is nested too deeply',
    [Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')]:
      '202:202: is nested too deeply',
    [`tags: [${','.repeat(60_000)}]`]: '1:20004: there is too much in this file: shorten it',
    ['a:\n'.repeat(16_000)]: '6667:3: there is too much in this file: shorten it',
  }
  for (const [text, problem] of Object.entries(told)) assert.deepEqual(problems(text), [`x.yaml:${problem}`])
})

test('what a person writes is within the bounds, whatever stands in its texts', () => {
  const deep = '['.repeat(49) + ']'.repeat(49)
  const far = ' '.repeat(300)
  const text = `name: |\n  ${'[{'.repeat(1_000)}\n${far}- ? ${far}\n${far}# far\nsize: {width: 1,\n${far}} ${far}\ntags: ["- - [", '[', b]\n${far}# ${deep}\n`
  const read = readYaml(text, 'x.yaml', schema)
  assert.ok(read.ok, JSON.stringify(read))
  assert.doesNotMatch(problems(`name: a\ntags: ${deep}`).join(), /deep/)
})

test('a key that is given twice is found among thousands, in one pass', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}: 1`)
  assert.deepEqual(
    problems([...keys, 'k7: 1'].join('\n'))[0],
    'x.yaml:2001:1: k7 is given twice: keep one of them',
  )
})

test('no text makes it throw, however deep', () => {
  for (const deep of ['[', '{a: ', '- ', '? ']) {
    const [problem = '', ...others] = problems(deep.repeat(10_000))
    assert.match(problem, /^x\.yaml:1:\d+: is nested too deeply$/, deep)
    assert.deepEqual(others, [])
  }
  assert.equal(readYaml('['.repeat(20_000) + ']'.repeat(20_000), 'x.yaml', schema).ok, false)
  const piece = fc.constantFrom(
    'name',
    'size',
    'tags',
    ': ',
    '\n',
    '  ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '&a',
    '*a',
    '"',
    '!',
    '|',
    '#',
    '?',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const read = readYaml(pieces.join(''), 'x.yaml', schema)
      if (!read.ok)
        assert.ok(
          read.problems.length > 0 && read.problems.every(({ line, column }) => line > 0 && column > 0),
        )
    }),
  )
})
