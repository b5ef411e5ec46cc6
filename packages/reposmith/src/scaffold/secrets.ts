// The tool is somebody else's code, and so are a template's hooks: none of them gets a token.

type Environment = Readonly<Record<string, string | undefined>>

/** The host's tokens, as they are in our environment. Other words hold one of a few letters by chance. */
export function tokensIn(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const token = HOST_TOKEN.test(name) ? value?.trim() : undefined
    return token && token.length >= 8 ? [token] : []
  })
}

/** Without whatever is called a secret, and whatever holds a token of the host under any other name. */
export function withoutSecrets(env: Environment): NodeJS.ProcessEnv {
  const tokens = tokensIn(env)
  const isSecret = (name: string, value = ''): boolean =>
    SECRET_NAME.test(name) || tokens.some((token) => value.includes(token))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isSecret(name, value)))
}

const HOST_TOKEN = /^(CODEHOST|CH|GITHUB|GH)_(ENTERPRISE_)?TOKEN$/
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|(API|ACCESS|PRIVATE)_?KEY/i
