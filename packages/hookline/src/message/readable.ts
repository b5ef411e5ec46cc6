// Which addresses of a payload may be shown as the page to read on: what is posted is opened, by people and by programs that preview it.

/**
 * False for addresses that do something when they are opened, that carry a secret, and that answer programs. `key` is the name of the field
 * in the payload.
 */
export function isReadable(key: string, address: string): boolean {
  const url = URL.parse(address)
  if (!url || url.username !== '' || url.password !== '') return false
  // A fragment may hold a token, too.
  const fields = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.slice(1)).keys()]
  const segments = url.pathname.toLowerCase().split(/[/;]/)
  // A repository may be called retry-lib: only at the end such a name tells what happens.
  const [last = ''] = wordsOf(segments.findLast((segment) => segment !== '') ?? '')
  const words = [...wordsOf(key), ...segments, last]
  return (
    !fields.some((field) => wordsOf(field).some((word) => SECRETS.has(word))) &&
    !words.some((word) => ACTS.has(word) || SECRETS.has(word)) &&
    !isForPrograms(key, url)
  )
}

function isForPrograms(key: string, { hostname, pathname }: URL): boolean {
  return (
    wordsOf(key).some((word) => PROGRAMS.has(word)) ||
    hostname.split('.').some((label) => PROGRAMS.has(label)) ||
    pathname.split('/').some((segment) => PROGRAMS.has(segment.toLowerCase())) ||
    /\.(?:json|xml|png|jpe?g|gif|svg|ico|webp)$/i.test(pathname)
  )
}

/** `X-Amz-Signature`, `accessToken` and `unsubscribe_url` are made of these. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

const SECRETS = new Set(
  'token key apikey auth authkey authorization sig signature secret password passwd pwd credential credentials jwt otp nonce ticket sid session'.split(
    ' ',
  ),
)
const ACTS = new Set(
  'unsubscribe optout ack acknowledge resolve silence snooze mute dismiss delete remove destroy cancel abort approve reject deny confirm accept decline verify activate deactivate reset rollback retry rerun restart stop logout signout callback webhook hook hooks'.split(
    ' ',
  ),
)
const PROGRAMS = new Set('api apis rest graphql rpc avatar avatars icon image images'.split(' '))
