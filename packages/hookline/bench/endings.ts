// What a bench leaves behind it: nothing. Also after Ctrl-C, also after an error.

const endings = new Set<() => void>()

/** `end` is run once: by what is given back, or when the process ends. It must be synchronous. */
export function atEnd(end: () => void): () => void {
  endings.add(end)
  return () => {
    if (endings.delete(end)) end()
  }
}

process.on('exit', () => {
  for (const end of [...endings].reverse()) {
    endings.delete(end)
    end()
  }
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => process.exit(code))
