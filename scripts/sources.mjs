// Makes sources load faster, by a sixth of a server's start: an import of ours names its file, so nobody has to look whether it is there,
// whether it is a link, and which package.json says what it is. And zod speaks English alone: of its sixty other languages each is a file.
import { registerHooks } from 'node:module'

const NOTHING = 'data:text/javascript,'

registerHooks({
  resolve(name, context, next) {
    const { parentURL = '' } = context
    if (name === '../locales/index.js' && parentURL.includes('/zod/v4/')) return found(NOTHING, 'module')
    const isOurs = name.startsWith('.') && name.endsWith('.ts') && parentURL.startsWith('file:')
    return isOurs ? found(new URL(name, parentURL).href, 'module-typescript') : next(name, context)
  },
})

function found(url, format) {
  return { url, format, shortCircuit: true }
}
