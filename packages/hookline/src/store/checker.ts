// The process that checks a large database while a server uses it: checker.ts FILE. The server may kill it at any moment.
import { check } from './check.ts'
import { type FailureFacts, failureOf } from './failure.ts'

/** What the process prints. */
export type Checked = 'sound' | { readonly failed: FailureFacts }

process.stdout.write(JSON.stringify(checked(process.argv[2] ?? '')))

function checked(file: string): Checked {
  try {
    check(file).close()
    return 'sound'
  } catch (error) {
    return { failed: failureOf(error) }
  }
}
