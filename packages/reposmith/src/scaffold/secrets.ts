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

/** Drops variables named like a secret, and those that contain a host token under any other name. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const tokens = tokensIn(env)
  const isSecret = (name: string, value = ''): boolean =>
    SECRET_NAME.test(name) || tokens.some((token) => value.includes(token))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isSecret(name, value)))
}

const HOST_TOKEN = /^(CODEHOST|CH|GITHUB|GH)_(ENTERPRISE_)?TOKEN$/
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|(API|ACCESS|PRIVATE)_?KEY/i
