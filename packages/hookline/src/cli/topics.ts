// What `explain` covers besides the commands.
import { fileURLToPath } from 'node:url'
import { typeList } from '../senders/setup.ts'
import { settingsList } from './settingslist.ts'

export interface Topic {
  readonly title: string
  /** Markdown. */
  readonly text: string
}

const UNIT = fileURLToPath(new URL('../../systemd/hookline.service', import.meta.url))

/** Words that people try, and the topic that each means. */
export const otherNames: Readonly<Record<string, string>> = {
  agent: 'agents',
  auth: 'authentication',
  certificates: 'tls',
  container: 'docker',
  containers: 'docker',
  filters: 'filter',
  handlers: 'handler',
  health: 'metrics',
  mention: 'agents',
  monitoring: 'metrics',
  prometheus: 'metrics',
  templates: 'template',
  wake: 'agents',
  webhooks: 'webhook',
}

export const topics: Readonly<Record<string, Topic>> = {
  'bot.yaml': {
    title: 'the file of a bot, field by field',
    text: `# bot.yaml

\`$HOOKLINE_HOME/bots/<owner>-<name>/bot.yaml\`. Only \`bot.name\` and \`bot.owner\` are required.

    bot:
      name: spark-ori-ghci        # the folder's name, the nick, and the path of the URL
      owner: spark-ori
      description: CI results
      created: "2026-04-03"
    trigger:
      type: webhook               # or event, schedule; see: hookline explain triggers
      auth:                       # without it anybody on this machine may post, nobody from elsewhere
        type: github              # see: hookline explain authentication
        secrets: ["env:GHCI_SECRET"]   # the secret, env:NAME or file:PATH
      allow_from: [192.0.2.0/24]  # addresses and networks that may send; others get 403
      expires: "2099-12-31"       # senders get 410 from then on
      batch: true                 # the body may be an array: each element is a delivery, all of them or none
      rate: 600/1m                # beyond that senders get 429
      event: body.type            # path to the event name, if no header has it
      filter: {events: [push]}    # which deliveries it posts: hookline explain filter
      reply: {status: 202, body: thank you}   # the response, in place of the default
      expect: every 24h           # the bot reports missing webhooks: hookline explain triggers
    handler: {}                   # isolates handler.py or handler.ts: hookline explain handler
    output:
      channels: ["#builds"]
      dm_owner: false             # true: also send each message to the owner directly
      mention: spark-claude       # this agent is woken
      template: |
        {body.workflow} on {body.repository.full_name}: {body.conclusion}
      templates:                  # one per event; the most specific is used
        pull_request.closed: "closed: {body.pull_request.title}"
      engine: tokens              # or liquid
      preset: slack               # built-in templates; those above take precedence
      fallback: json              # if a token has no value: the whole payload; or summary, skip, error
      routes:                     # by payload: other channels, another mention
        - {when: {equals: {body.level: debug}}, channels: ["#noise"], mention: null}
      burst: 10/1m                # this many are posted one by one; one line counts the rest
      coalesce: 5s                # or: all within this time become one message
      thread: "{body.number}"     # messages with the same value are replies to the first

An unknown key is an error. \`hookline bot validate\` shows where something is wrong. Saving the file changes an active bot at once; if it is
wrong, the bot keeps its previous settings, and its owner is told. \`hookline bot start NAME\` rereads it too. Times may have several units: \`1m30s\`.`,
  },
  template: {
    title: 'messages with {body.field} tokens, filters, and Liquid',
    text: `# Templates

- \`{body.repository.full_name}\` is a value of the payload; \`{action}\` is short for \`{body.action}\`; \`{body.commits.0.message}\`
  reaches into a list; \`{headers.x-name}\` is a header of the request, \`{event}\` the kind of event.
- Filters: \`{title|truncate:80}\`, \`{sha|short}\`, \`|upper\`, \`{commits|count}\`, \`{labels|join:", "}\`, \`{who|default:"-"}\`.
- Strings appear as they are, numbers and booleans as in JSON, objects and lists as compact JSON.
- If any token has no value, \`output.fallback\` decides what happens: see \`hookline explain fallback\`.
- \`{{\` and \`}}\` are literal braces. Braces around spaces, quotes or nothing are plain text.
- \`output.templates\` has one per event: \`push\`, \`pull_request.closed\`, \`*\`; the most specific is used, else \`output.template\`.
- \`output.engine: liquid\` for conditions and loops: \`{% for commit in commits %}{{ commit.id | short | bold }} {% endfor %}\`.
- \`output.preset\` uses built-in templates for a service: \`hookline preset list\`.
- Each line becomes a line in the chat, at most ten per delivery; the record keeps the whole text.
- Values can neither format text nor wake anybody; templates can: \`\\x02\` in a token template, \`| bold\` and \`| colour: "red"\` in Liquid.

Try one: \`hookline bot test NAME --payload FILE --event push\`. Details and examples: docs/templates.md.`,
  },
  filter: {
    title: 'which deliveries a bot posts',
    text: `# Filter rules

    trigger:
      filter:
        events: [push, pull_request.*]         # one of these; with an action or a wildcard
        exists: body.repository                # a path, or a list of them
        equals: {body.action: [opened, closed]}
        contains: {body.labels.0.name: bug}    # a substring, or an entry of the list
        matches: {body.ref: "^refs/heads/main$"}
        not: {equals: {body.sender.type: Bot}}
        any: [{exists: body.a}, {exists: body.b}]

All given rules must hold; \`any\`, \`all\` and \`not\` contain rules themselves. A delivery filtered out is answered 200 \`skipped\`: nothing
is posted, no handler runs, and the record names the rule. Patterns run in linear time: no back-references, no lookahead.

The event comes from a header (X-GitHub-Event and the like); if it is in the payload instead, say where: \`trigger.event: body.type\`.`,
  },
  fallback: {
    title: 'when a token has no value or no template matches',
    text: `# Fallback

\`output.fallback\`:

- \`json\` (default): the whole payload is the message, at most three lines of it
- \`summary\`: at most two lines: the event, titles, the first link, what is missing
- \`skip\`: nothing is posted
- \`error\`: the delivery fails, the owner is notified, and it can be replayed

The record of the delivery lists the tokens without a value: \`hookline bot deliveries show ID\`. To give one a default: \`{path|default:"-"}\`.`,
  },
  triggers: {
    title: 'bots that react to the chat, a schedule or missing webhooks',
    text: `# Triggers

    trigger: {type: event, on: join}                                    # also part, quit, kick, nick, topic, message, delivery
    trigger: {type: event, on: message, match: {command: "!deploy"}}    # also starts_with, contains, mentions_me
    trigger: {type: event, on: delivery, bots: [spark-ori-ci], outcome: failed}
    trigger: {type: schedule, cron: "0 9 * * 1-5", timezone: Europe/Berlin}
    trigger: {expect: every 24h}                                        # a webhook bot that reports when none came

- The payload says what happened: \`{nick}\`, \`{channel}\`, \`{text}\`, \`{args}\`, … for templates and handlers alike.
- \`in\` and \`from\` narrow it to channels and nicks; \`output.here: true\` answers only where it happened.
- Messages of bots trigger no bot. A chain of deliveries that trigger each other ends after three.
- A bot reacts at most 10 times at once, then once a second (\`trigger.rate\`); events beyond that are dropped, and its owner is notified.
- A missed scheduled run is lost; with \`catch_up: true\` the last missed one is run later.

All payload fields, and examples: docs/triggers.md.`,
  },
  handler: {
    title: 'code instead of a template: handler.py, handler.ts',
    text: `# Handlers

A file beside bot.yaml that replaces the template. \`handler.py\`:

    async def handle(payload, bot):
        if payload["action"] != "opened":
            return None                       # nothing is posted
        bot.state["count"] = bot.state.get("count", 0) + 1
        return f'{bot.state["count"]}: {payload["issue"]["title"]}'

\`handler.ts\`, \`handler.mjs\` and \`handler.js\` export \`async function handle(payload, bot)\`. \`bot\` has name, nick, owner,
description, created, channels, mention, dm_owner, template, fallback, delivery_id, event (or None), headers (by lower-case
name), and state, which is kept between calls. In JavaScript there is also \`bot.signal\`, which aborts on timeout.
An exception fails the delivery; see it with \`hookline bot logs NAME\`, fix the file (the next delivery uses it), then
\`hookline bot replay ID\`.

Limits: 10 s per call (\`handlers.timeout_ms\` in server.yaml); 512 MiB of memory for Python, 256 MiB of heap for Node; 64 KiB for an
answer, 256 KiB for \`bot.state\`; 64 MiB per file; 256 open files, 64 processes and threads; 16 MiB of printed output in ten seconds.
Processes are reused for later calls, 32 in all (\`handlers.max_warm\`), at most ten minutes: keep lasting data in \`bot.state\`, not in variables.
On Linux, where the system allows it, what a handler started ends with it, and it can signal no other process. With

    handler: {}                               # as \`bot create\` writes it
    handler: {files: [/srv/reports, {path: state, write: true}], network: true}

in bot.yaml it is isolated: it sees its own folder (read-only), its interpreter, a \`/tmp\` of its own and what \`files\` names, and has no network unless
that says so. Without that section it sees all files and the network: run no such handler that you do not trust. In server.yaml \`handlers.isolation: required\`
runs only isolated ones; \`none\` turns namespaces off, for sudo and ssh.`,
  },
  testing: {
    title: 'trying a bot on sample and received payloads, also in CI',
    text: `# Testing a bot

    hookline bot test NAME --fixture github/push        # what it says for a sample payload
    hookline bot test NAME --fixture github --golden    # whether it still says the same for every sample
    hookline bot capture NAME --last 60                 # save received payloads in captured/ in its folder
    hookline bot suggest NAME --event push              # tokens that every push has
    hookline bot lint NAME                              # for how many payloads every token has a value

- \`--golden\` writes \`golden/<fixture>.txt\` beside bot.yaml if it is missing, and exits with 1 if the output differs. \`--update\` makes the current output
  the expected text. Keep these files with the bot.
- \`bot test\` and \`bot lint\` need no server, no network and no secret: run them in CI.
- \`bot lint\` exits with 1 if a payload would fall back or fail. Remedies: a default (\`{body.action|default:"-"}\`), a template for the event
  (\`output.templates\`), or a filter that excludes the event (\`trigger.filter\`).
- Captured payloads may contain personal data. One that you rename stays when newer ones come: remove the personal data, and commit it.

Details and examples: docs/testing.md.`,
  },
  webhook: {
    title: 'posting to a bot: URL, answers, authentication',
    text: `# Webhooks

    curl -H 'Content-Type: application/json' -d '{"text":"hello"}' http://127.0.0.1:7680/spark-ori-ghci

The body is a JSON object. Answers: 200 posted, skipped or a duplicate; 202 on disk, posted soon; 400 not JSON or not an object; 401 not
authenticated; 403 address not allowed, or from a web page; 404 no such bot; 410 expired; 413 too large; 429 too many; 500 the handler
or template failed (the id can be replayed); 503 the bot is not active. All of them, with what to do: docs/deliveries.md.

With \`trigger.auth\` the request must authenticate: as GitHub does (the default), as many others do, or with a token; see
\`hookline explain authentication\`. The same X-GitHub-Delivery, Idempotency-Key or webhook-id with the same body is posted once.`,
  },
  authentication: {
    title: 'who may post to a bot: types, secrets, rotation',
    text: `# Authentication of senders

\`trigger.auth\` of bot.yaml, or \`--auth TYPE --secret generate\`. What a request carries:

${typeList()}

- Any of up to ten secrets is accepted: the secret itself, \`env:NAME\` or \`file:PATH\`.
- \`hookline bot rotate-secret NAME\` creates a new one and keeps the previous one valid; \`--drop-old\` ends that.
- Stripe, Slack, Sentry, Linear and PagerDuty generate the secret: copy it there; \`--secret -\` reads it from standard input.
- \`hmac\` takes \`header\`, \`prefix\`, \`separator\`, \`encoding\`, \`hash\`, \`signed\`, \`id\`, \`timestamp\`, \`tolerance\`, \`key\`.
- A signed timestamp must be within \`tolerance\` seconds of the server's clock.
- Once a bot has \`trigger.auth\`, a file without it takes no effect, also after a restart: \`bot edit NAME --auth none\` (\`type: none\`) ends it.
- Bound to more than 127.0.0.1, the listener serves no bot without \`trigger.auth\`; \`type: none\` allows it.

Why a request was refused: \`hookline bot deliveries NAME --refused\`. More, with examples: docs/authentication.md.`,
  },
  accounts: {
    title: 'names that belong to people and agents, and how they log in',
    text: `# Accounts

    hookline account create spark-claude --token laptop      # an agent: the token is shown once
    hookline account create spark-ori --generate             # a person; or they register in the chat

- The nick of an account is only for whoever is logged in to it; others get 433. Bot messages kept for that nick go to nobody else.
- To log in: SASL PLAIN, SCRAM-SHA-256 or EXTERNAL; \`PASS account:password\` for clients without SASL; \`/msg NickServ IDENTIFY\`.
  A token works wherever a password does, except with SCRAM.
- A bot wakes the agent that \`--mention\` names: besides the line in the channel the agent gets \`NOTICE <nick> :<bot> mentioned you in <#channel>: <text>\`
  from the server, with the tag \`hookline.internal/delivery\`: \`hookline bot why\` and \`bot deliveries show\` take that id, and have all of a text that was cut.
  While it is away, the notice waits, and only its account gets it; it then begins with its time, as \`[2026-04-03 09:15 UTC] \`.
  A notice is sent once. After a connection that died, ask \`CHATHISTORY AFTER\` for the channels: there the lines begin with \`@nick\`.
- In the chat: \`/msg NickServ HELP\`, and \`REGISTER\` for clients that know draft/account-registration. \`accounts.registration.enabled: false\`
  in server.yaml leaves account creation to you.
- \`accounts.required: true\` lets nobody connect without an account.
- At most three failed logins a minute for one account from one address (\`accounts.failures_per_minute\`), and ten an hour from all
  addresses that it has not logged in from (\`failures_per_hour\`). A token or a certificate is accepted meanwhile.
- A new password has at least 10 characters: \`accounts.registration.password_length\`.

Details and examples: docs/accounts.md.`,
  },
  home: {
    title: 'the folder that holds everything',
    text: `# The home folder

\`$HOOKLINE_HOME\` (a leading \`~/\` is your home, also without a shell), else \`~/.hookline\`: readable only by you.

- \`server.yaml\`: the server's settings, all optional: see \`hookline explain server.yaml\`
- \`bots/<bot>/\`: the bots, each with its \`bot.yaml\`, optionally a handler, \`golden/\` and \`captured/\`
- \`bots.lock\`: lock held while a bot is changed
- \`data/\`: messages and deliveries
- \`control.sock\`: where this command reaches the running server
- \`server.pid\`: the running server's pid; \`server.log\`: the log of a background server, \`server.log.1\`: the previous one
- \`trash/\`: deleted bots, and what \`server restore --force\` moved there`,
  },
  'server.yaml': {
    title: 'all settings of the server, with their defaults',
    get text() {
      return `# server.yaml

\`$HOOKLINE_HOME/server.yaml\`, or the file that \`--config\` names. All settings are optional. For example:

    server:
      name: spark                # --name lasts for one start only; without a name here the next start uses local
    listeners:
      - port: 6667               # IRC, on 127.0.0.1
      - {host: 0.0.0.0, port: 6697, tls: {cert: fullchain.pem, key: privkey.pem}}
    webhooks:
      port: 7680
      keep_days: 30              # deliveries, with their payloads
    history:
      days: 365                  # older messages are deleted
      channel_messages: null     # no limit on their number

A flag of \`server start\` overrides the environment (\`HOOKLINE_NAME\`, \`HOOKLINE_PORT\`, …), which overrides this file. An unknown key is an error that says
where it is. After a change, run \`hookline server reload\`: it names the settings that need a restart. \`hookline server check\` looks at it, and at all that it names, as the next start would. Below, \`[]\` stands for each entry of a list.

## Settings

${settingsList()}`
    },
  },
  service: {
    title: 'a server that survives reboots; backups, monitoring, moving to another machine',
    text: `# As a service

First put the name and the ports into server.yaml (\`hookline explain server.yaml\`), so that every start has them. \`hookline server start --detach\` runs in the
background until the machine restarts. With systemd, copy this file to /etc/systemd/system/, and change the name in it. It is for a
dedicated user called \`hookline\`, and handlers are isolated under it:

    ${UNIT}

\`systemctl enable --now hookline\`. Run commands as that user: \`sudo -u hookline HOOKLINE_HOME=/var/lib/hookline hookline server status\`. Without
systemd, a line of \`crontab -e\`: \`@reboot hookline server start --detach\`, with the full path of hookline, and node's folder in a line \`PATH=…\` before it.

- Every night, from cron: \`hookline server backup /backups/hookline-$(date +\\%F).tar\`. cron takes a bare \`%\` for the end of the line.
- To move to another machine: \`server stop\`, then \`server backup\`, copy the file, \`server restore FILE\` there, \`server start\`. Copy by hand what is outside the
  home folder: certificates, \`file:\` secrets, the environment. Then give the senders the new URLs: \`hookline bot list --json\` has each bot's \`url\`.
- To upgrade: \`server backup\`, \`server stop\`, install it, \`server start\`.
- \`GET /health\` on the webhook listener answers 200 while it serves; \`GET /metrics\` is for Prometheus, from this machine only.
- The log is JSON on stderr; with \`--detach\` it is \`server.log\` in the home folder.
- If an alert was not shown: \`hookline bot logs NAME\` lists deliveries, \`hookline bot deliveries NAME --before TIME\` lists older ones,
  \`hookline bot deliveries show ID\` shows the outcome of one, \`hookline bot why ID\` the reason. If it is not listed, it never reached that bot, or was refused:
  check the URL, and the answer that the sender got; the server's log has the reason, and for a 404 the requested name.`,
  },
  agents: {
    title: 'how an agent connects, and what wakes it',
    text: `# Agents

    hookline account create spark-claude --token laptop           # its nick, and a token that is shown once
    hookline bot edit spark-ori-ci --mention spark-claude         # this bot wakes it

- An agent is a client like any other: it connects to the IRC port, logs in (SASL PLAIN, or \`PASS spark-claude:TOKEN\`), joins, reads and speaks.
- With each message of a bot that mentions it, it gets a notice of its own, from the server:
  \`NOTICE spark-claude :spark-ori-ci mentioned you in #builds: …\`. It need not be in the channel. While it is away, the notice waits, and is sent once.
- The notice has the tag \`hookline.internal/delivery\`; \`hookline bot why ID\` shows the whole payload behind it.
- \`output.routes\` mentions by payload: nobody for a success, the agent for a failure.
- Without a connection: \`hookline send\`, \`hookline watch --json\` and \`hookline history CHANNEL --after ID --json\`.

Accounts, tokens and who may log in: \`hookline explain accounts\`.`,
  },
  tls: {
    title: 'encryption for clients and for webhooks',
    text: `# TLS

In server.yaml; it takes effect at the next start:

    listeners:
      - port: 6667               # plain text, on 127.0.0.1, for programs on this machine
      - {host: 0.0.0.0, port: 6697, tls: {cert: fullchain.pem, key: privkey.pem}}

- Relative paths are resolved from the folder of server.yaml. \`hookline server check\` says whether the two belong together and are valid.
- When the files change, new connections get the new certificate. The server warns before one expires.
- \`more: [{cert: …, key: …}]\` in \`tls\` is for other names of the server; \`server.sts\` moves clients from the plain port to this one.
- A listener with \`websocket: true\` is for web pages, over \`wss://\` if it has \`tls\`.
- Webhooks come over plain HTTP: put a web server with a certificate before 127.0.0.1:7680.

certbot, client certificates, web servers as proxies: docs/network.md.`,
  },
  metrics: {
    title: 'watching over a server: health, Prometheus, the log',
    text: `# Metrics

    curl http://127.0.0.1:7680/health       # 200 while it serves
    curl http://127.0.0.1:7680/metrics      # for Prometheus; answers this machine only

- \`hookline_deliveries_total\` counts by bot and outcome: \`posted\`, \`skipped\`, \`failed\`, \`duplicate\`, \`refused\`. An alert for what fails:
  \`increase(hookline_deliveries_total{outcome="failed"}[10m]) > 0\`.
- \`hookline_webhooks_refused_total\` counts what a bot refused, by reason. \`hookline_store_failing\` is 1 while nothing can be written,
  \`hookline_store_damaged\` is 1 once the database was found damaged.
- \`hookline_connections\`, \`hookline_users\` and \`hookline_channels\` say how busy the chat is, as \`hookline server status --json\` does.
- Do not let a proxy forward \`/metrics\`. The log is JSON: \`hookline explain service\`.

All of them: docs/operations.md.`,
  },
  docker: {
    title: 'running it in a container',
    text: `# In a container

It needs Node 24.15 or newer, and no rights beyond those of an ordinary user.

    docker run --init --stop-timeout 20 -e HOOKLINE_HOME=/data -v hookline:/data -p 6697:6697 IMAGE hookline server start

- Put the home folder on a volume, and name it with \`HOOKLINE_HOME\`. Everything else may be read-only.
- Nobody outside a container reaches its 127.0.0.1: set \`host: 0.0.0.0\` for \`listeners\` and \`webhooks\` in server.yaml. Then only bots with \`trigger.auth\`
  are served, and IRC should have TLS: \`hookline explain tls\`.
- Most containers do not allow namespaces, so handlers are not isolated: \`hookline explain handler\`.
- Run commands in it: \`docker exec NAME hookline server status\`.

More: docs/operations.md, SECURITY.md.`,
  },
  'exit codes': {
    title: 'what the numbers mean',
    text: `# Exit codes

- 0: done
- 1: the input is wrong
- 2: the environment or setup is wrong: no server runs, an address is in use, a folder cannot be written
- 3: authentication
- 4: an upstream API

An error is \`error: …\` and \`hint: …\` on stderr; with \`--json\` one line: \`{"code":1,"kind":…,"message":…,"remediation":…}\`,
and \`details\`, a list of lines, where there is more to say: each mistake with file:line:column, or a traceback.

\`kind\` is, with code 1, \`usage\`, \`not_found\`, \`already_exists\`, \`invalid\` (a file), \`refused\` (by a rule), \`handler_failed\`, \`unresolved\` (tokens) or
\`different\` (from what was expected); with code 2 \`not_running\`, \`unreachable\`, \`setup\`, \`busy\` (run it again) or \`internal\` (a bug).`,
  },
}
