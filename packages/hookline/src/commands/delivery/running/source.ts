// Where the text of a delivery comes from, according to the present files.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { templateIn } from '../../../bots/file/botedit.ts'
import { findPreset } from '../../../senders/presets.ts'
import type { Delivery } from '../../../store/deliveryrows.ts'
import { viewBot } from '../../bot/running/view.ts'
import type { Context } from '../../context.ts'

interface Source {
  readonly composed_by: string
  readonly file: string
  readonly line: number | null
  readonly template: string | null
  readonly changed_since: boolean
}

export function sourceOf(context: Context, { bot, composedBy, finishedAt }: Delivery): Source | null {
  const file = viewBot(context, bot)?.file
  if (composedBy === null || file === undefined) return null
  const isHandler = composedBy.startsWith('handler.')
  const path = isHandler ? join(dirname(file), composedBy) : file
  const stats = statSync(path, { throwIfNoEntry: false })
  const found = isHandler || !stats ? undefined : templateOf(composedBy, readFileSync(file, 'utf8'))
  return {
    composed_by: composedBy,
    file: path,
    line: found?.line ?? null,
    template: found?.text ?? null,
    changed_since: !stats || stats.mtimeMs > (finishedAt ?? 0),
  }
}

/** From the bot's own file, or from the preset that it names. */
function templateOf(composedBy: string, botYaml: string): { text: string; line: number } | undefined {
  const [, preset, key = ''] = /^preset (\S+): (.*)$/s.exec(composedBy) ?? []
  if (preset === undefined) return templateIn(botYaml, composedBy)
  const line = templateIn(botYaml, 'output.preset')?.line
  const text = findPreset(preset)?.texts[key]
  return text === undefined || line === undefined ? undefined : { text, line }
}
