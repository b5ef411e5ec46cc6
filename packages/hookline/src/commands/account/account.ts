// `account …`: what NickServ does for an account's owner, done by whoever runs the server.
import type { WithSuspension } from '../../accounts/accounts.ts'
import type { Changed, Created } from '../../accounts/answers.ts'
import { isLabel, LABEL_RULE } from '../../accounts/rules.ts'
import { newSecret } from '../../bots/secret.ts'
import type { AccountRow, FullAccount, TokenRow } from '../../store/accountrows.ts'
import type { LiveContext, Running } from '../context.ts'
import { type Answer, cannot, done, wrong } from '../../control/failure.ts'
import type { Input } from '../oldlist.ts'
import type { Outputs } from '../../control/outputs.ts'
import type {
  AccountDetails,
  AccountMade,
  AccountView,
  TokenMade,
  TokenView,
} from '../../control/outputs/account.ts'
import { shellWord } from '../shellword.ts'
import { durationIn } from '../duration.ts'
import { oneLine } from '../oneline.ts'

export async function createAccount(
  { running }: LiveContext,
  input: Input<'account create'>,
): Promise<Answer<AccountMade>> {
  const { name, email = null, token: label } = input
  if (label !== undefined && !isLabel(label))
    return wrong(
      'usage',
      `${JSON.stringify(label)} is not a valid label`,
      `use ${LABEL_RULE}, as in --token laptop`,
    )
  const chosen = passwordFrom(input, label !== undefined)
  if (!chosen.ok) return chosen
  const { password, isMade } = chosen.output
  const created = await running.accounts.create({ name, password, email })
  if (!created.ok) return refusedCreate(name, created)
  const added = label === undefined ? undefined : await running.accounts.addToken(name, label, null)
  if (added?.ok === false) return refused(name, added)
  return done({ account: name, password: isMade ? password : null, token: added?.token ?? null })
}

export async function changePassword(
  { running }: LiveContext,
  input: Input<'account passwd'>,
): Promise<Answer<AccountMade>> {
  const chosen = passwordFrom(input, false)
  if (!chosen.ok) return chosen
  const { password, isMade } = chosen.output
  const changed = await running.accounts.setPassword(input.name, password)
  if (!changed.ok) return refused(input.name, changed)
  return done({ account: input.name, password: isMade ? password : null, token: null })
}

export async function listAccounts({ running }: LiveContext): Promise<Answer<readonly AccountView[]>> {
  const listed = await running.accounts.list()
  return listed.ok ? done(listed.accounts.map(viewOf)) : refused('', listed)
}

export async function showAccount(
  { running }: LiveContext,
  { name }: Input<'account show'>,
): Promise<Answer<AccountDetails>> {
  const shown = await running.accounts.show(name)
  return shown.ok ? done(detailsOf(shown.account)) : refused(name, shown)
}

export async function listTokens(
  { running }: LiveContext,
  { name }: Input<'account token'>,
): Promise<Answer<readonly TokenView[]>> {
  const shown = await running.accounts.show(name)
  return shown.ok ? done(shown.account.tokens.map(tokenView)) : refused(name, shown)
}

export async function addToken(
  { running }: LiveContext,
  { name, label, expires }: Input<'account token add'>,
): Promise<Answer<TokenMade>> {
  const time = durationIn(expires)
  if (!time.ok) return time
  const added = await running.accounts.addToken(name, label, time.output ?? null)
  return added.ok ? done({ account: name, label, token: added.token }) : refused(name, added)
}

export async function revokeToken(
  { running }: LiveContext,
  { name, label }: Input<'account token revoke'>,
): Promise<Answer<{ account: string; label: string }>> {
  const removed = await running.accounts.removeToken(name, label)
  if (removed.ok) return done({ account: name, label })
  if (removed.reason !== 'absent') return refused(name, removed)
  return wrong('not_found', `${name}: ${removed.text}`, `see: hookline account token ${shellWord(name)}`)
}

export async function suspendAccount(
  { running }: LiveContext,
  { name, duration, reason = '' }: Input<'account suspend'>,
): Promise<Answer<Outputs['account suspend']>> {
  const time = durationIn(duration)
  if (!time.ok) return time
  const terms = { by: running.name, reason: oneLine(reason), durationMs: time.output }
  const suspended = await running.accounts.suspend(name, terms)
  if (!suspended.ok) return refused(name, suspended)
  return done({ account: name, expires_at: suspended.until === null ? null : dateOf(suspended.until) })
}

export function restoreAccount(context: LiveContext, { name }: Input<'account restore'>) {
  return change(context, name, ({ accounts }) => accounts.restore(name))
}

export function dropAccount(context: LiveContext, { name, yes = false }: Input<'account drop'>) {
  const word = shellWord(name)
  if (!yes)
    return wrong(
      'usage',
      `${name} would be deleted for good, with its channels' registrations, and anybody could take its nick`,
      `to confirm: hookline account drop ${word} --yes; to only block it: hookline account suspend ${word}`,
    )
  return change(context, name, ({ accounts }) => accounts.drop(name))
}

async function change(
  { running }: LiveContext,
  name: string,
  run: (running: Running) => Promise<Changed>,
): Promise<Answer<{ account: string }>> {
  const changed = await run(running)
  return changed.ok ? done({ account: name }) : refused(name, changed)
}

/** The given password, a generated one, or none. */
function passwordFrom(
  { password, generate = false }: { password?: string | null; generate?: boolean },
  hasToken: boolean,
): Answer<{ password: string | null; isMade: boolean }> {
  if (generate && password !== undefined)
    return wrong('usage', '--generate and --password exclude each other', 'leave one of them out')
  if (generate) return done({ password: newSecret(), isMade: true })
  if (password === undefined && !hasToken)
    return wrong('usage', 'no password was given', 'add --generate, --password - or --no-password')
  return done({ password: password ?? null, isMade: false })
}

/** Mostly the disk is full. */
const LATER_HINT = 'if that does not help: hookline server status; the server log says more'

function refusedCreate(name: string, { reason, text }: Extract<Created, { ok: false }>) {
  if (reason === 'later') return cannot('setup', text, LATER_HINT)
  if (reason === 'exists') {
    const word = shellWord(name)
    const token = `another token for it: hookline account token add ${word} LABEL`
    return wrong('already_exists', text, `${token}; another password: hookline account passwd ${word}`)
  }
  return wrong('refused', text, 'see: hookline account create --help')
}

function refused(name: string, { reason, text }: Extract<Changed, { ok: false }>) {
  if (reason === 'later') return cannot('setup', text, LATER_HINT)
  if (reason === 'absent') return wrong('not_found', `${name}: ${text}`, `see: hookline account list`)
  return wrong('refused', text, `see: hookline account show ${shellWord(name)}`)
}

function viewOf({
  name,
  createdAt,
  email,
  password,
  settings,
  suspension,
}: WithSuspension<AccountRow>): AccountView {
  return {
    name,
    created_at: dateOf(createdAt),
    email,
    password: password !== null,
    settings: JSON.parse(settings) as object,
    suspended: suspension && {
      by: suspension.by,
      at: dateOf(suspension.at),
      reason: suspension.reason,
      expires_at: suspension.until === null ? null : dateOf(suspension.until),
    },
  }
}

function detailsOf(account: WithSuspension<FullAccount>): AccountDetails {
  return {
    ...viewOf(account),
    scram: account.scram !== null,
    tokens: account.tokens.map(tokenView),
    certificates: account.certificates.map(({ fingerprint, addedAt }) => ({
      fingerprint,
      added_at: dateOf(addedAt),
    })),
  }
}

function tokenView({ label, createdAt, usedAt, expiresAt }: TokenRow): TokenView {
  return {
    label,
    created_at: dateOf(createdAt),
    used_at: usedAt === null ? null : dateOf(usedAt),
    expires_at: expiresAt === null ? null : dateOf(expiresAt),
  }
}

function dateOf(at: number): string {
  return new Date(at).toISOString()
}
