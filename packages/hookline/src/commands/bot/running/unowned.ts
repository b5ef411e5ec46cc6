// Nicks to whom a bot sends what nobody else should read, and that no account has: whoever takes one gets it.
import { done, type Answer } from '../../../control/failure.ts'
import type { BotView } from '../bot.ts'
import type { Context, Running } from '../../context.ts'

export async function unowned(
  { accounts, bots }: Running,
  { name, owner, mention }: { readonly name: string } & Readonly<Record<'owner' | 'mention', string | null>>,
): Promise<readonly string[]> {
  const routed = bots.get(name)?.settings?.output.routes.map((route) => route.mention ?? null) ?? []
  const nicks = [...new Set([owner, mention, ...routed])].filter((nick) => nick !== null)
  const shown = await Promise.all(nicks.map((nick) => accounts.show(nick)))
  return nicks.filter((_, i) => {
    const account = shown[i]
    return account?.ok === false && account.reason === 'absent'
  })
}

/** With a warning for each of them to whom every message goes. */
export async function warned<T extends { readonly bot: BotView }>(
  { running }: Context,
  answer: Answer<T>,
): Promise<Answer<T>> {
  if (!running || !answer.ok) return answer
  const { bot } = answer.output
  const told = { name: bot.name, owner: bot.dm_owner ? bot.owner : null, mention: bot.mention }
  const warnings = (await unowned(running, told)).map(
    (nick) =>
      `no account has the nick ${nick}: whoever takes it gets what ${bot.name} sends to it. To make one: hookline account create ${nick} --generate`,
  )
  return done({ ...answer.output, bot: { ...bot, warnings: [...bot.warnings, ...warnings] } })
}
