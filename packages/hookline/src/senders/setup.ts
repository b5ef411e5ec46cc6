// Where to enter a secret, for each sender, in the words of the sender's own pages.
import { AUTH_TYPES, AUTH_TYPE_NAMES, type AuthType } from './authtypes.ts'

interface Vendor {
  readonly name: string
  /** The navigation path to the page where it is entered. */
  readonly page: string
  /** The sender's labels for the URL and the secret. */
  readonly url: string
  readonly secret: string
  readonly more?: readonly Pair[]
  /** What is entered, if not the secret alone. */
  readonly secretAs?: (secret: string) => string
  /** What to choose for a preset: most send pushes alone otherwise. */
  readonly events?: Pair
}

type Pair = readonly [label: string, value: string]

/** Lines to read and copy from, including the secret. */
export function setupAt(type: AuthType, { url, secret, header, preset }: Entered): readonly string[] {
  if (type === 'url') {
    const place = urlTakers[preset ?? '']
    return [
      ...(place === undefined ? [] : [`At ${place}`]),
      url
        ? `The whole URL is the secret: ${url}/${secret}`
        : `The last part of the URL is the secret: ${secret}`,
    ]
  }
  const vendor = vendors[type] ?? (header === undefined ? takers[type]?.[preset ?? ''] : undefined)
  if (!vendor) {
    const pairs: readonly Pair[] = [
      ['Post to', url ?? NO_URL],
      ['with', headerWith(type, secret, header)],
    ]
    return [...aligned(pairs), ...elsewhere(url)]
  }
  const lines = [
    `At ${vendor.name}: ${vendor.page}`,
    ...aligned([
      [vendor.url, url ?? NO_URL],
      ...(vendor.more ?? []),
      [vendor.secret, vendor.secretAs?.(secret) ?? secret],
      ...(vendor.events !== undefined && preset != null ? [vendor.events] : []),
    ]),
    ...elsewhere(url),
  ]
  return type === 'github' && url !== null ? [...lines, ...ghLines(url, preset)] : lines
}

function aligned(pairs: readonly Pair[]): readonly string[] {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
}

/** Each type and what its requests carry, as a Markdown list. */
export function typeList(): string {
  return AUTH_TYPE_NAMES.map((type) => `- \`${type}\`: ${AUTH_TYPES[type].about}`).join('\n')
}

/** A loopback or wildcard address is seldom reachable from a sender on another machine. */
function elsewhere(url: string | null): readonly string[] {
  const [, host] = /^http:\/\/(127\.[\d.]+|localhost|0\.0\.0\.0|\[::1?\])[:/]/.exec(url ?? '') ?? []
  return host ? [`  From another machine: the name by which it reaches this one, in place of ${host}`] : []
}

const NO_URL = 'none while webhooks.enabled is false'

interface Entered {
  /** Null while the listener is off. */
  readonly url: string | null
  readonly secret: string
  /** For types whose header is configurable. */
  readonly header: string | undefined
  /** The bot's. */
  readonly preset: string | null | undefined
}

/** Advice for when the sender makes the secret: nothing is generated here. */
export function copyFrom(type: AuthType, url: string | null): string {
  const vendor: Vendor | undefined = vendors[type]
  if (!vendor) return 'copy it from the sender'
  return `${vendor.name} makes it (${vendor.page}; ${vendor.url}: ${url ?? NO_URL}): copy its ${vendor.secret} and hand it over with --secret -`
}

// `gh api` fills in {owner} and {repo} from its folder. The secret is passed through standard input: on a command line
// every user of the machine could read it.
function ghLines(url: string, preset: Entered['preset']): readonly string[] {
  // A template of one's own is seldom for every event.
  const events = preset == null ? ['push'] : GITHUB_EVENTS.map(([event]) => event)
  const config = `"config":{"url":"${url}","content_type":"json","secret":"%s"}`
  return [
    'or in a clone of the repository, with the secret typed or piped in:',
    `  read -r SECRET; printf '{"name":"web","events":${JSON.stringify(events)},${config}}' "$SECRET" | gh api 'repos/{owner}/{repo}/hooks' --input -`,
  ]
}

/** What most teams want to read; all events together would tell one thing in several lines. */
const GITHUB_EVENTS: readonly (readonly [event: string, label: string])[] = [
  ['push', 'Pushes'],
  ['pull_request', 'Pull requests'],
  ['pull_request_review', 'Pull request reviews'],
  ['issues', 'Issues'],
  ['issue_comment', 'Issue comments'],
  ['release', 'Releases'],
  ['workflow_run', 'Workflow runs'],
]

function headerWith(type: AuthType, secret: string, header: string | undefined): string {
  if (type === 'basic') return `Authorization: Basic, as the user and the password in ${secret}`
  if (type === 'hmac') return `${header}, signed with the key ${secret}`
  return header === undefined ? `Authorization: Bearer ${secret}` : `${header}: ${secret}`
}

const vendors: Partial<Readonly<Record<AuthType, Vendor>>> = {
  github: {
    name: 'GitHub',
    page: 'Settings > Webhooks > Add webhook',
    url: 'Payload URL',
    secret: 'Secret',
    more: [['Content type', 'application/json']],
    events: [
      'Which events',
      `Let me select individual events: ${GITHUB_EVENTS.map(([, label]) => label).join(', ')}`,
    ],
  },
  gitlab: {
    name: 'GitLab',
    page: 'Settings > Webhooks > Add new webhook',
    url: 'URL',
    secret: 'Secret token',
    events: ['Trigger', 'each event that the bot is to report'],
  },
  'gitlab-signing': {
    name: 'GitLab',
    page: 'Settings > Webhooks > Add new webhook',
    url: 'URL',
    secret: 'Signing token',
    events: ['Trigger', 'each event that the bot is to report'],
  },
  gitea: {
    name: 'Gitea',
    page: 'Settings > Webhooks > Add Webhook > Gitea',
    url: 'Target URL',
    secret: 'Secret',
    events: ['Trigger On', 'All Events'],
  },
  forgejo: {
    name: 'Forgejo',
    page: 'Settings > Webhooks > Add webhook > Forgejo',
    url: 'Target URL',
    secret: 'Secret',
    events: ['Trigger on', 'All events'],
  },
  stripe: {
    name: 'Stripe',
    page: 'Workbench > Webhooks > Add destination',
    url: 'Endpoint URL',
    secret: 'Signing secret',
  },
  slack: {
    name: 'Slack',
    page: 'your app > Basic Information; the URL under Event Subscriptions',
    url: 'Request URL',
    secret: 'Signing Secret',
  },
  standard: {
    name: 'the sender',
    page: 'its webhook endpoints',
    url: 'Endpoint URL',
    secret: 'Signing secret',
  },
  grafana: {
    name: 'Grafana',
    page: 'Alerting > Contact points > Add contact point > Webhook; HMAC Signature',
    url: 'URL',
    secret: 'Secret',
  },
  sentry: {
    name: 'Sentry',
    page: 'Settings > Developer Settings > your integration',
    url: 'Webhook URL',
    secret: 'Client Secret',
  },
  linear: { name: 'Linear', page: 'Settings > API > Webhooks', url: 'URL', secret: 'Signing secret' },
  pagerduty: {
    name: 'PagerDuty',
    page: 'Integrations > Generic Webhooks (v3)',
    url: 'Webhook URL',
    secret: 'secret, shown once when the webhook is saved',
  },
  jira: { name: 'Jira', page: 'System > WebHooks > Create a WebHook', url: 'URL', secret: 'Secret' },
  bitbucket: {
    name: 'Bitbucket',
    page: 'Repository settings > Webhooks > Add webhook',
    url: 'URL',
    secret: 'Secret',
  },
  circleci: {
    name: 'CircleCI',
    page: 'Project Settings > Webhooks > Add Webhook',
    url: 'Receiver URL',
    secret: 'Secret token',
  },
}

const BEARER = (secret: string) => `Bearer ${secret}`
const AS_JSON = (secret: string) => JSON.stringify({ Authorization: BEARER(secret) })

/** Services that take a token, or a user and a password, by preset. */
const takers: Partial<Readonly<Record<AuthType, Readonly<Record<string, Vendor>>>>> = {
  basic: {
    'azure-devops': {
      name: 'Azure DevOps',
      page: 'Project settings > Service hooks > Create subscription > Web Hooks',
      url: 'URL',
      secret: 'Basic authentication username:password',
    },
  },
  token: {
    alertmanager: {
      name: 'Alertmanager',
      page: 'alertmanager.yml, a receiver with webhook_configs',
      url: 'url',
      secret: 'http_config.authorization.credentials',
    },
    cloudevents: {
      name: 'the sender',
      page: 'its sinks or subscriptions',
      url: 'URL',
      secret: 'Authorization header',
      secretAs: BEARER,
    },
    harbor: {
      name: 'Harbor',
      page: 'Projects > your project > Webhooks > New Webhook',
      url: 'Endpoint URL',
      more: [['Payload Format', 'Default']],
      secret: 'Auth Header',
      secretAs: BEARER,
    },
    'new-relic': {
      name: 'New Relic',
      page: 'Alerts > Destinations > Webhook',
      url: 'Endpoint URL',
      more: [['Authentication', 'Bearer token']],
      secret: 'Token',
    },
    opsgenie: {
      name: 'Opsgenie',
      page: 'Settings > Integrations > Add integration > Webhook',
      url: 'Webhook URL',
      secret: 'Custom header Authorization',
      secretAs: BEARER,
    },
    'uptime-kuma': {
      name: 'Uptime Kuma',
      page: 'Settings > Notifications > Setup Notification > Webhook',
      url: 'Post URL',
      more: [['Request Body', 'application/json']],
      secret: 'Additional Headers',
      secretAs: AS_JSON,
    },
    zabbix: {
      name: 'Zabbix',
      page: 'Alerts > Media types > Create media type > Webhook; its script posts its parameters as JSON',
      url: 'the URL in the script',
      secret: 'the header Authorization in the script',
      secretAs: BEARER,
    },
  },
}

/** Where services that can send nothing else take the URL, by preset. */
const urlTakers: Readonly<Record<string, string>> = {
  discord: 'whatever posts to Discord: in place of the address of a Discord webhook',
  'docker-hub': 'Docker Hub: your repository > Webhooks',
  gogs: 'Gogs: Settings > Webhooks > Add a new webhook > Gogs',
  jenkins: 'Jenkins: your job > Configure > Job Notifications',
  netlify: 'Netlify: Project configuration > Notifications > Deploy notifications > HTTP POST request',
  slack: 'whatever posts to Slack: in place of the address of an incoming webhook',
  sns: 'Amazon SNS: your topic > Create subscription > HTTPS',
  sonarqube: 'SonarQube: Project Settings > Webhooks > Create',
  statuspage: 'the status page: Subscribe to updates > Webhook',
  teamcity: 'TeamCity: the parameters teamcity.internal.webhooks.enable, .url and .events of your project',
  trello: 'Trello: POST /1/webhooks of its API, as callbackURL, with idModel of your board',
  uptimerobot: 'UptimeRobot: Integrations & API > Webhook; Send as JSON',
}
