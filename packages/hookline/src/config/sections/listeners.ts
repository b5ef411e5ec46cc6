// `listeners` of server.yaml: where IRC clients connect.
import { z } from 'zod'
import { host, port } from '../fields.ts'

export const listeners = () =>
  z
    .array(
      z
        .strictObject({
          host: host.default('127.0.0.1'),
          port,
          tls: z
            .strictObject({
              ...keyFiles,
              more: z
                .array(z.strictObject(keyFiles))
                .default([])
                .describe('certificates for other names of this server, chosen by the name in SNI'),
            })
            .optional()
            .describe('plain text when absent; the files are reloaded when they change'),
          websocket: z.boolean().default(false).describe('WebSocket clients only, such as web pages'),
          proxy_protocol: z
            .enum(['off', 'required'])
            .default('off')
            .describe('required: only trusted_proxies may connect, each with a PROXY header first'),
        })
        .refine(
          ({ tls, proxy_protocol: proxy }) => tls === undefined || proxy === 'off',
          'proxy_protocol goes with a listener without tls: the proxy ends TLS',
        ),
    )
    .min(1)
    .default([{ host: '127.0.0.1', port: 6667, websocket: false, proxy_protocol: 'off' }])
    .describe('where IRC clients connect')

const keyFiles = {
  cert: z
    .string()
    .min(1)
    .describe('PEM file, with the intermediate certificates after it; relative to the folder of server.yaml'),
  key: z.string().min(1).describe('PEM file'),
}
