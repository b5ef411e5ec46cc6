// The command line of each tool: the one a plan shows is the one that runs.
import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { done, wrong, type Answer } from '../failure.ts'
import { tokensIn } from './secrets.ts'
import { isTemplate, readVariables, templateValues, type Variables } from './variables.ts'
import { splitWords } from './words.ts'

export type Words = readonly [string, ...string[]]

export interface Wish {
  readonly lang: 'python'
  /** cookiecutter, copier, uv, or a command line. */
  readonly with: string
  /** `name=value` */
  readonly var?: readonly string[] | undefined
  readonly env: NodeJS.ProcessEnv
}

/**
 * The tool's name first. `folder` is where it writes; with the built-in template it need not be the project's final
 * place.
 */
export function commandLine(wish: Wish, folder: string): Answer<Words> {
  // A command line is visible to everybody on this machine, and plans get pasted into chats.
  const given = [wish.with, folder, ...(wish.var ?? [])]
  if (tokensIn(wish.env).some((token) => given.some((text) => text.includes(token))))
    return wrong('usage', 'the command line would hold your token', 'leave it out: no tool is given it')
  const read = readVariables(wish.var ?? [])
  if (!read.ok) return read
  const variables = read.output
  switch (wish.with) {
    case 'cookiecutter':
      return withTemplate(wish, folder, variables, (template, values) => [
        'cookiecutter',
        '--no-input',
        // Nothing of ~/.cookiecutterrc.
        '--default-config',
        ...(existsSync(folder) ? ['--overwrite-if-exists'] : []),
        '--output-dir',
        dirname(folder),
        template,
        ...Object.entries({ ...values, folder: basename(folder) }).map(([name, value]) => `${name}=${value}`),
      ])
    case 'copier':
      return withTemplate(wish, folder, variables, (template, values) => [
        'copier',
        'copy',
        '--defaults',
        ...Object.entries(values).flatMap(([name, value]) => ['--data', `${name}=${value}`]),
        template,
        folder,
      ])
    case 'uv': {
      const [name] = Object.keys(variables)
      if (name !== undefined)
        return wrong(
          'usage',
          `uv takes no variables, but --var ${name} is given`,
          "write the command yourself: --with 'uv init --package --name {name} {path}'",
        )
      return done(['uv', 'init', '--package', '--name', basename(folder), folder])
    }
    default:
      return ownWords(wish, folder, variables)
  }
}

function withTemplate(
  { lang }: Wish,
  folder: string,
  variables: Variables,
  line: (template: string, values: Variables) => Words,
): Answer<Words> {
  if (isTemplate(folder))
    return wrong('usage', `${folder} has {{, {% or {#, which the tool would run`, 'name another folder')
  const values = templateValues(basename(folder), variables)
  return values.ok ? done(line(TEMPLATES[lang], values.output)) : values
}

/** Fills in `{path}`, `{lang}` and the `{name}` of every `--var name=value`; appends the path if there is no `{path}`. */
function ownWords({ lang, with: line }: Wish, folder: string, variables: Variables): Answer<Words> {
  const split = splitWords(line)
  if (!split.ok) return split
  const [tool, ...rest] = split.output
  if (!tool) return wrong('usage', '--with names no command', 'name a tool, or a command in quotes')
  const taken = ['path', 'lang'].find((name) => Object.hasOwn(variables, name))
  if (taken !== undefined)
    return wrong('usage', `--var ${taken} is what {${taken}} means already`, 'give it another name')
  const unused = Object.keys(variables).find((name) => !rest.some((word) => word.includes(`{${name}}`)))
  if (unused !== undefined)
    return wrong('usage', `--var ${unused} has no place in the command`, `write {${unused}} where it belongs`)
  const values = new Map(Object.entries({ ...variables, lang, path: folder }))
  const filled = rest.map((word) =>
    word.replaceAll(/\{(\w+)\}/g, (all, name: string) => values.get(name) ?? all),
  )
  return done([tool, ...filled, ...(rest.some((word) => word.includes('{path}')) ? [] : [folder])])
}

export const TEMPLATE_NAMES: Readonly<Record<Wish['lang'], string>> = { python: 'python-cli' }

const TEMPLATES: Readonly<Record<Wish['lang'], string>> = {
  python: fileURLToPath(new URL(`../../template/${TEMPLATE_NAMES.python}`, import.meta.url)),
}
