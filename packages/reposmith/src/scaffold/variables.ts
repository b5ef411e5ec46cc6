// `--var name=value`: parsed, checked, and completed with what the built-in template needs.
import { done, wrong, type Answer } from '../failure.ts'

export type Variables = Readonly<Record<string, string>>

export function readVariables(list: readonly string[]): Answer<Variables> {
  const variables: Record<string, string> = {}
  for (const item of list) {
    const [, name, value] = /^([A-Za-z]\w*)=([^]*)$/.exec(item) ?? []
    if (name === undefined || value === undefined)
      return wrong('usage', '--var takes name=value', 'write it as --var author="Ada Lovelace"')
    if (Object.hasOwn(variables, name))
      return wrong('usage', `--var ${name} is given twice`, 'leave one of them out')
    if (/\p{Cc}/u.test(value))
      return wrong('usage', `--var ${name} has a line end or a control character`, 'write one line of text')
    variables[name] = value
  }
  return done(variables)
}

/**
 * The built-in template does not prompt: missing values are derived from the folder's name. All of them are given to the
 * tool, so that a configuration of its own, such as ~/.cookiecutterrc, changes none.
 */
export function templateValues(folder: string, given: Variables): Answer<Variables> {
  for (const [name, value] of Object.entries(given)) {
    if (!NAMES.includes(name))
      return wrong('usage', `the template has no variable ${name}`, `it has ${NAMES.join(', ')}`)
    if (isTemplate(value))
      return wrong('usage', `--var ${name} has {{, {% or {#, which the tool would run`, 'leave that out')
  }
  const name = given['project_name'] ?? folder
  const slug = given['project_slug'] ?? slugOf(name)
  const values: Variables = {
    project_name: name,
    project_slug: slug,
    module: slug.replaceAll('-', '_'),
    description: `A command line called ${slug}`,
    author: `The ${name} authors`,
    ...DEFAULTS,
    ...given,
  }
  if (/\p{Cc}/u.test(name) || isTemplate(name))
    return wrong('usage', "the folder's name cannot be the name of a project", 'add --var project_name=…')
  for (const [key, { shape, takes }] of Object.entries(SHAPES)) {
    const value = values[key]
    if (value !== undefined && !shape.test(value))
      return wrong('usage', `${key} ${JSON.stringify(value)} takes ${takes}`, `add --var ${key}=…`)
  }
  return done(values)
}

/** cookiecutter renders every value and every folder name as a template. */
export function isTemplate(text: string): boolean {
  return /\{[{%#]/.test(text)
}

const DEFAULTS = {
  email: '',
  license: 'MIT',
  python_version: '3.11',
  default_branch: 'main',
  repository: '',
  homepage: '',
  environment: 'index',
  test_environment: 'testindex',
}

const NAMES: readonly string[] = [
  'project_name',
  'project_slug',
  'module',
  'description',
  'author',
  ...Object.keys(DEFAULTS),
]

/** A newer template may have dropped one. */
export function isVariable(name: string): boolean {
  return NAMES.includes(name)
}

/** Whose text the template has. */
const LICENSES = ['MIT', 'Apache-2.0', 'BSD-3-Clause'] as const

/** `mit`, as the host calls it → `MIT`; undefined if the template has no text of it. */
export function spdxOf(license: string): string | undefined {
  return LICENSES.find((each) => each.toLowerCase() === license.toLowerCase())
}

const PAGE = { shape: /^(https?:\/\/[^\s"\\<>]+)?$/, takes: 'the address of a page' }
const ENVIRONMENT = { shape: /^[\w.-]*$/, takes: 'letters, digits, - _ and .' }

/** Values that become part of a path, an address or a file of another syntax. The template's hook refuses names that Python reserves. */
const SHAPES: Readonly<Record<string, { readonly shape: RegExp; readonly takes: string }>> = {
  project_slug: {
    shape: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    takes: 'lowercase letters, digits and single hyphens',
  },
  module: { shape: /^[a-z_][a-z0-9_]*$/, takes: 'lowercase letters, digits and underscores' },
  email: { shape: /^([^\s"\\<>@]+@[^\s"\\<>@]+)?$/, takes: 'an address, such as ada@example.org' },
  license: { shape: new RegExp(`^(${LICENSES.join('|')})$`), takes: LICENSES.join(', ') },
  python_version: { shape: /^3\.\d\d$/, takes: 'a version of Python, such as 3.11' },
  default_branch: { shape: /^[\w][\w./-]*$/, takes: 'the name of a branch' },
  repository: PAGE,
  homepage: PAGE,
  environment: ENVIRONMENT,
  test_environment: ENVIRONMENT,
}

/** `My Widget_2` → `my-widget-2` */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? []).join('-')
}
