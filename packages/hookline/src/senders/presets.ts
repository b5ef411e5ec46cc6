// Presets: templates that come with the server, `<service>/preset.yaml` for each service that sends webhooks.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { nearest } from '../text/nearest.ts'
import { formatProblem, readYaml } from '../yaml/yamlfile.ts'
import { AUTH_TYPE_NAMES, type AuthType } from './authtypes.ts'
import { type Path, pathOf } from '../message/path.ts'
import { type Rule, ruleSchema } from '../message/rules/schema.ts'
import {
  compileTemplates,
  type Engine,
  ENGINES,
  templateProblem,
  type Templates,
} from '../message/templates.ts'

export interface Preset {
  readonly name: string
  readonly title: string
  readonly description: string
  /** How this service proves itself: what `trigger.auth.type` should be. */
  readonly auth: AuthType | undefined
  /** Where the payload or the headers name the event, when no well-known header does. */
  readonly event: Path | undefined
  readonly filter: Rule | undefined
  readonly sample: Sample
  readonly engine: Engine
  /** By event, as in `output.templates`. */
  readonly texts: Readonly<Record<string, string>>
  readonly templates: Templates
}

/** A short payload to try a bot with; its headers by lower-case name. */
export interface Sample {
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

const schema = z
  .strictObject({
    title: z.string().min(1),
    description: z.string().min(1),
    auth: z.enum(AUTH_TYPE_NAMES).optional(),
    event: z.string().optional(),
    filter: ruleSchema.optional(),
    /** `event` is for a service that names it in a header. */
    sample: z.strictObject({ event: z.string().optional(), body: z.record(z.string(), z.json()) }),
    /** The preset whose templates are used where this one has none. */
    like: z.string().optional(),
    engine: z.enum(ENGINES).default('tokens'),
    templates: z.record(z.string().min(1), z.string()),
  })
  .superRefine(({ engine, templates }, context) => {
    for (const [event, text] of Object.entries(templates)) {
      const message = templateProblem(engine, text)
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['templates', event], message })
    }
  })

/** In alphabetical order. */
export function presetNames(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(fileOf(name)))
    .toSorted()
}

/** Read and compiled on first use. Undefined when there is none of that name; throws when a bundled file is invalid. */
export function findPreset(name: string): Preset | undefined {
  const known = loaded.get(name)
  if (known || !presetNames().includes(name)) return known
  const preset = load(name)
  loaded.set(name, preset)
  return preset
}

/** `there is no preset githb`, and `did you mean github?` */
export function noSuchPreset(name: string): { readonly message: string; readonly hint: string } {
  const near = nearest(name, presetNames())
  const hint = near === undefined ? 'see hookline preset list' : `did you mean ${near}?`
  return { message: `there is no preset ${name}`, hint }
}

const folder = new URL('./', import.meta.url)
const loaded = new Map<string, Preset>()

function fileOf(name: string): URL {
  return new URL(`${name}/preset.yaml`, folder)
}

function load(name: string): Preset {
  const read = readYaml(readFileSync(fileOf(name), 'utf8'), `${name}/preset.yaml`, schema)
  if (!read.ok) throw new Error(`preset ${read.problems.map(formatProblem).join('\n')}`)
  const { title, description, auth, filter, like, engine, templates } = read.value
  const event = read.value.event === undefined ? undefined : pathOf(read.value.event)
  const model = like ? findPreset(like) : undefined
  const own = byEvent(templates)
  const compiled = compileTemplates(engine, own, (key) => `preset ${name}: ${key}`)
  return {
    name,
    title,
    description,
    auth,
    event,
    filter,
    sample: sampleWith(event?.header, read.value.sample),
    engine,
    texts: restLast({ ...model?.texts, ...own }),
    templates: model ? new Map([...model.templates, ...compiled]) : compiled,
  }
}

function sampleWith(header: string | undefined, { event, body }: z.output<typeof schema>['sample']): Sample {
  return { headers: header === undefined || event === undefined ? {} : { [header]: event }, body }
}

/** A key in a bundled file may name several events, with a space between. */
function byEvent(templates: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(templates).flatMap(([events, text]) => events.split(' ').map((event) => [event, text])),
  )
}

function restLast({ '*': rest, ...texts }: Readonly<Record<string, string>>): Record<string, string> {
  return rest === undefined ? texts : { ...texts, '*': rest }
}
