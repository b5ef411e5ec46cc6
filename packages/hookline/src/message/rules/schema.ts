// The shape of a filter rule in bot.yaml and in presets.
import { z } from 'zod'
import { build } from './machine.ts'

/** To a value of the payload, or to a header. */
export const path = z
  .string()
  .regex(/^[^\s{}"'`|]{1,1000}$/, 'must be a path such as body.type or headers.x-event')

/** Every key that is given must hold. */
export interface Rule {
  readonly events?: readonly string[] | null | undefined
  readonly exists?: string | readonly string[] | null | undefined
  readonly equals?: Readonly<Record<string, Wanted | readonly Wanted[]>> | null | undefined
  readonly contains?: Readonly<Record<string, string>> | null | undefined
  readonly matches?: Readonly<Record<string, string>> | null | undefined
  readonly any?: readonly Rule[] | null | undefined
  readonly all?: readonly Rule[] | null | undefined
  readonly not?: Rule | null | undefined
}

export type Wanted = string | number | boolean | null

const MOST = { error: 'must hold at most 50 entries' }
// YAML rounds longer numbers, and the rule would then hold for other ids too.
const number = z
  .number()
  .refine(
    (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
    'has too many digits to be compared: write matches: {path: "^…$"} with all of them',
  )
const wanted = z.union([z.string(), number, z.boolean(), z.null()])
const pattern = z.string().superRefine((text, context) => {
  const built = build(text)
  if (!built.ok) context.addIssue({ code: 'custom', message: built.reason })
})
const perPath = <T extends z.ZodType>(value: T) =>
  z.record(path, value).refine((map) => Object.keys(map).length <= 50, MOST)
const rules = () => z.array(ruleSchema).min(1, 'must hold at least one rule').max(50, MOST)

export const ruleSchema: z.ZodType<Rule, Rule> = z
  .strictObject({
    events: z
      .array(z.string().min(1).max(200))
      .min(1, 'must hold at least one event')
      .max(50, MOST)
      .nullish()
      .describe(
        'The event is one of these: push, pull_request (all of its actions), pull_request.closed, issue*',
      ),
    exists: z
      .union([path, z.array(path).min(1).max(50)])
      .nullish()
      .describe('The path, or each of them, names a value that is not null'),
    equals: perPath(z.union([wanted, z.array(wanted).min(1).max(50)]))
      .nullish()
      .describe('What the path names is this value, or one of this list'),
    contains: perPath(z.string())
      .nullish()
      .describe('What the path names is a text with this in it, or a list with this among its entries'),
    matches: perPath(pattern)
      .nullish()
      .describe(
        'The regular expression is found in the text that the path names; (?i) in front ignores case',
      ),
    get any() {
      return rules().nullish().describe('One of these rules holds')
    },
    get all() {
      return rules().nullish().describe('All of these rules hold')
    },
    get not() {
      return ruleSchema.nullish().describe('This rule does not hold')
    },
  })
  .meta({ id: 'rule' })
