// Certificates: read from their files, chosen by the server name that a client asks for, and reread once renewed.
import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls'
import { StartFailure } from '../failure/startfailure.ts'
import { messageOf } from '../failure/thrown.ts'

export interface KeyFiles {
  readonly cert: string
  readonly key: string
}

/** One or more; a client that asks for a name none of them covers gets the first. */
export type Certificates = readonly [KeyFiles, ...KeyFiles[]]

export interface Keys {
  /** For `tls.createServer` and, after `reload`, `setSecureContext`. */
  readonly options: TlsOptions
  validities(): readonly Validity[]
  /** Reads the files again; throws and keeps the old ones if one cannot be used. */
  reload(): void
}

/** The validity of a certificate; in ms since 1970. */
export interface Validity {
  readonly file: string
  readonly from: number
  readonly until: number
}

export function openKeys(files: Certificates): Keys {
  let read = files.map(readKeys)
  return {
    get options(): TlsOptions {
      const [first] = read
      return {
        cert: first?.cert,
        key: first?.key,
        ...VERSIONS,
        SNICallback: (name, choose) =>
          choose(null, read.find(({ certificate }) => certificate.checkHost(name))?.context),
      }
    },
    validities: () =>
      read.map(({ file, certificate }) => ({
        file,
        from: certificate.validFromDate.getTime(),
        until: certificate.validToDate.getTime(),
      })),
    reload(): void {
      read = files.map(readKeys)
    },
  }
}

/**
 * In TLS 1.2 a client may ask for one handshake after another, each worth a thousand lines. Node only counts them, and no client
 * of a chat needs any: the connection ends.
 */
const VERSIONS = { minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION } as const

/** Why a certificate needs to be renewed; undefined if it does not. `now` is in ms. */
export function expiryOf({ file, from, until }: Validity, now: number): string | undefined {
  const end = new Date(until).toISOString()
  if (until <= now)
    return `the certificate ${file} expired at ${end}: clients that check it cannot connect; renew it`
  // Certificates for a day or a week are renewed late in their life.
  const notice = Math.min(NOTICE_MS, (until - from) / 5)
  return until - now <= notice ? `the certificate ${file} expires at ${end}: renew it` : undefined
}

const NOTICE_MS = 14 * 86_400_000

interface ReadKeys {
  /** The certificate's path. */
  readonly file: string
  readonly cert: Buffer
  readonly key: Buffer
  readonly certificate: X509Certificate
  readonly context: SecureContext
}

function readKeys(files: KeyFiles): ReadKeys {
  try {
    const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)]
    const context = createSecureContext({ cert, key, ...VERSIONS })
    const certificate = new X509Certificate(cert)
    // OpenSSL checks that itself only if both are of one kind, such as RSA.
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      throw new Error('the key is not that of the certificate')
    return { file: files.cert, cert, key, certificate, context }
  } catch (error) {
    const text = `the certificate ${files.cert} with the key ${files.key} cannot be used: ${messageOf(error)}`
    throw new StartFailure('certificate', text, { cause: error })
  }
}
