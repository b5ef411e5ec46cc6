// Options that say what server.yaml says.
import type { Option } from '../command.ts'

/** They go before the environment and server.yaml. */
export const SETTINGS = [
  {
    name: 'name',
    type: 'text',
    value: 'NAME',
    description: 'name of the server; nicks of its bots begin with it',
  },
  { name: 'host', type: 'text', value: 'HOST', description: 'address for IRC (127.0.0.1)' },
  {
    name: 'port',
    type: 'number',
    value: 'PORT',
    range: [0, 65535],
    description: 'port for IRC (6667); 0: any free port',
  },
  { name: 'webhookHost', type: 'text', value: 'HOST', description: 'address for webhooks (127.0.0.1)' },
  {
    name: 'webhookPort',
    type: 'number',
    value: 'PORT',
    range: [0, 65535],
    description: 'port for webhooks (7680); 0: any free port',
  },
  {
    name: 'config',
    type: 'text',
    value: 'FILE',
    completes: 'files',
    description: 'settings file (server.yaml in the home folder)',
  },
] as const satisfies readonly Option[]
