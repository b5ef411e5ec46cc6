// Scaffolding tools and template hooks are third-party code: none of them gets a token.

/**
 * The values of the host's token variables. Those under 8 characters are skipped: they would match other words by
 * chance.
 */
export function tokensIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const token = HOST_TOKEN.test(name) ? value?.trim() : undefined
    return token && token.length >= 8 ? [token] : []
  })
}

/**
 * Drops variables named like a secret, and those that contain a host token under any other name, be it in the base64
 * of a header: GIT_CONFIG_VALUE_0="AUTHORIZATION: basic …" is how git is often given one.
 */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const tokens = tokensIn(env)
  const encoded = tokens.flatMap(inBase64)
  const isSecret = (name: string, value = ''): boolean => {
    if (SECRET_NAME.test(name) || tokens.some((token) => value.includes(token))) return true
    const plain = value.replaceAll('-', '+').replaceAll('_', '/')
    return encoded.some((text) => plain.includes(text))
  }
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isSecret(name, value)))
}

/** What the base64 of any text with that token contains, by where the token begins in a group of three bytes. */
function inBase64(token: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(token)])
    // A digit is 6 bits: those at either end with bits of a neighbour are left out.
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
  })
}

const HOST_TOKEN = /^(CODEHOST|CH|GITHUB|GH)_(ENTERPRISE_)?TOKEN$/
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|(API|ACCESS|PRIVATE)_?KEY/i
