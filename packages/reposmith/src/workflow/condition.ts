// The `if:` of a job, by the host's own library: may the job run when this event comes on this ref?
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { truthy } from '@actions/expressions/result'
import type { Ref } from './pattern.ts'

export interface Run extends Ref {
  /** Undefined in a called workflow, whose event is the caller's. */
  readonly event: string | undefined
}

/** False only where it is certain: what depends on inputs or outputs may be so. */
export function mayRun(condition: string, run: Run): boolean {
  const text = condition.trim().replace(/^\$\{\{([^]*)\}\}$/, '$1')
  try {
    const { tokens } = new Lexer(text).lex()
    const tree = new Parser(tokens, CONTEXTS, FUNCTIONS).parse()
    return truthy(new Judge(tree, new data.Dictionary({ key: 'github', value: githubOf(run) })).evaluate())
  } catch {
    // Not known, or not valid: the host says more of the latter.
    return true
  }
}

/** What a condition compares with: a ref that it asks for by name must be tried too. */
export function textsOf(condition: string): readonly string[] {
  return [...condition.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text.replaceAll("''", "'"))
}

const CONTEXTS = [
  'github',
  'needs',
  'inputs',
  'vars',
  'env',
  'matrix',
  'strategy',
  'secrets',
  'steps',
  'runner',
  'job',
]
const FUNCTIONS = ['always', 'success', 'failure', 'cancelled', 'hashFiles'].map((name) => ({
  name,
  minArgs: 0,
  maxArgs: 255,
}))

class Unknown extends Error {}

type Visited<Name extends keyof Evaluator> = Evaluator[Name] extends (node: infer Node) => unknown
  ? Node
  : never

/** `a && b` is false if one of them is, whatever the other. */
class Judge extends Evaluator {
  override visitLogical({ operator, args }: Visited<'visitLogical'>): data.ExpressionData {
    const decides = operator.lexeme === '||'
    let isUnknown = false
    let last: data.ExpressionData = new data.Null()
    for (const arg of args) {
      try {
        last = this.eval(arg)
        if (truthy(last) === decides) return last
      } catch {
        isUnknown = true
      }
    }
    if (isUnknown) throw new Unknown()
    return last
  }

  override visitContextAccess(node: Visited<'visitContextAccess'>): data.ExpressionData {
    if (node.name.lexeme.toLowerCase() !== 'github') throw new Unknown()
    return super.visitContextAccess(node)
  }

  override visitIndexAccess(node: Visited<'visitIndexAccess'>): data.ExpressionData {
    const value = super.visitIndexAccess(node)
    if (value.kind === data.Kind.Null) throw new Unknown()
    return value
  }

  override visitFunctionCall(node: Visited<'visitFunctionCall'>): data.ExpressionData {
    const name = node.functionName.lexeme.toLowerCase()
    if (name === 'always' || name === 'success') return new data.BooleanData(true)
    if (name === 'failure' || name === 'cancelled') return new data.BooleanData(false)
    if (name === 'hashfiles') throw new Unknown()
    return super.visitFunctionCall(node)
  }
}

function githubOf({ event, type, name }: Run): data.Dictionary {
  const facts = {
    ...(event === undefined ? {} : { event_name: event }),
    ref: `refs/${type === 'tag' ? 'tags' : 'heads'}/${name}`,
    ref_name: name,
    ref_type: type,
  }
  return new data.Dictionary(
    ...Object.entries(facts).map(([key, value]) => ({ key, value: new data.StringData(value) })),
  )
}
