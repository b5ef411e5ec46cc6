// Certificates for a test, made by openssl, and connections that show them.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'

export interface Certificate {
  readonly cert: string
  readonly key: string
  /** As the server calls it: SHA-256, hex, lower case. */
  readonly fingerprint: string
}

/** `<name>-cert.pem` and `<name>-key.pem` in `folder`, for one host name. */
export function makeCertificate(
  folder: string,
  name: string,
  host = 'localhost',
  kind = 'ec -pkeyopt ec_paramgen_curve:prime256v1',
): Certificate {
  const [cert, key] = [join(folder, `${name}-cert.pem`), join(folder, `${name}-key.pem`)]
  const making = `req -x509 -newkey ${kind} -nodes -days 1`
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  execFileSync('openssl', [...making.split(' '), ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const { fingerprint256 } = new X509Certificate(readFileSync(cert))
  return { cert, key, fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() }
}

/** The same again, already expired. */
export function endCertificate(cert: string, key: string): void {
  const request = execFileSync('openssl', ['x509', '-x509toreq', '-in', cert, '-signkey', key])
  const making = ['x509', '-req', '-days', '0', '-signkey', key, '-out', cert]
  execFileSync('openssl', making, { input: request, stdio: ['pipe', 'ignore', 'ignore'] })
}

export interface Tls {
  /** The client's own certificate. */
  readonly own?: Certificate
  /** The name of the server that the client asks for. */
  readonly servername?: string | undefined
  readonly maxVersion?: 'TLSv1.2' | undefined
}

/** Believes any certificate of the server. */
export async function dialTls(port: number, { own, servername, maxVersion }: Tls = {}): Promise<TLSSocket> {
  const shown = own ? { cert: readFileSync(own.cert), key: readFileSync(own.key) } : {}
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    servername,
    maxVersion,
    ...shown,
  })
  await once(socket, 'secureConnect')
  return socket
}
