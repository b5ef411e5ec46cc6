// JSON with all digits of a number: one too large for JavaScript is read as a bigint.

export function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? rawJSON(String(each)) : each,
  )
}

// TypeScript's own description lacks it.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }
