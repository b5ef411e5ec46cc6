// Says for each handler.ts, .mjs or .js named whether it compiles and exports `handle`, without running a line of it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { compileFunction, SourceTextModule } from 'node:vm'

// A declaration, of several names perhaps, a list of names, or `export *`, whose names only running it could tell.
const exportsHandle =
  /\bexport\s+(?:(?:async\s+)?(?:function|const|let|var)\s+handle\b|(?:const|let|var)\b(?:(?!\b(?:const|let|var)\b)[^;])*\bhandle\s*[=,}])|\bexport\s*\{[^}]*\bhandle\b[^}]*\}|\bexport\s*\*/

// CommonJS: what Node takes a file for that has neither import nor export, unless it is .mjs. What a name or a call stands for only
// running it could tell; a function or a class stands for itself. Compilers write `Object.defineProperty(exports, "handle", …)`.
const assignsHandle =
  /\bexports(?:\.handle\s*=|\s*[,[]\s*['"]handle['"])|\bmodule\.exports\s*=\s*(?:(?!(?:async|class|function)\b|[\w$]+\s*=>)[\w$]|[^;]*\bhandle\b)/

console.log(JSON.stringify(process.argv.slice(2).map(problem)))

function problem(path) {
  let code
  try {
    const text = readFileSync(path, 'utf8')
    code = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text
    if (!isCommonJs(path, code)) new SourceTextModule(code, { identifier: path })
  } catch (error) {
    const line = code === undefined ? lineInTypes(error) : lineOfFault(code)
    return `${path}${line}: ${error.message.trim()}`
  }
  if (exportsHandle.test(code) || (!path.endsWith('.mjs') && assignsHandle.test(code))) return null
  return `${path} exports no function handle: write \`export async function handle(payload, bot)\``
}

/** Whether it compiles as Node would run it then, which allows what no module may do: `'\033'`. */
function isCommonJs(path, code) {
  try {
    return !path.endsWith('.mjs') && compileFunction(code, ['exports', 'module', 'require']) !== undefined
  } catch {
    return false
  }
}

/** `:3`. What strips types puts it before the stack. */
function lineInTypes({ stack }) {
  return /^(:\d+)\n/.exec(stack)?.[1] ?? ''
}

/** `:3`. The module's own error does not tell its line; `node --check` prints it. */
function lineOfFault(code) {
  const { stderr } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
    input: code,
    encoding: 'utf8',
  })
  return /^\[stdin\](:\d+)$/m.exec(stderr)?.[1] ?? ''
}
