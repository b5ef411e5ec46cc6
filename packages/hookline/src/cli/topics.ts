// What `explain` covers besides the commands.
import { typeList } from '../control/vendors.ts'
import { settingsList } from './settingslist.ts'

export interface Topic {
  readonly title: string
  /** Markdown. */
  readonly text: string
}

export const topics: Readonly<Record<string, Topic>> = {
  'bot.yaml': {
    title: 'the file of a bot, field by field',
    text: `# bot.yaml

\`$HOOKLINE_HOME/bots/<owner>-<name>/bot.yaml\`. Only \`bot.name\` and \`bot.owner\` are required.

    bot:
      name: spark-ori-ghci        # equals the folder's name; the nick, and the path of the URL
      owner: spark-ori
      description: CI results
      created: "2026-04-03"
    trigger:
      type: webhook               # or event, schedule; see: hookline explain triggers
      auth:                       # without it anybody on this machine may post, and nobody from another one
        type: github              # see: hookline explain authentication
        secrets: ["env:GHCI_SECRET"]   # the secret, env:NAME or file:PATH
      allow_from: [192.0.2.0/24]  # addresses and networks that may send; others hear 403
      expires: "2099-12-31"       # senders hear 410 from then on
      rate: 600/1m                # beyond that senders hear 429
      event: body.type            # where the event is named, when no header does
      filter: {events: [push]}    # which deliveries it speaks of: hookline explain filter
      reply: {status: 202, body: thank you}   # what a sender hears in place of our own answer
      expect: every 24h           # the bot says when no webhook came: hookline explain triggers
    output:
      channels: ["#builds"]
      dm_owner: false             # true: the owner gets each message directly, too
      mention: spark-claude       # this agent is woken
      template: |
        {body.workflow} on {body.repository.full_name}: {body.conclusion}
      templates:                  # one for each event; the most specific is used
        pull_request.closed: "closed: {body.pull_request.title}"
      engine: tokens              # or liquid
      preset: slack               # templates that come with the server; those above win
      fallback: json              # a token without a value: the whole payload; or summary, skip, error
      routes:                     # by what the payload says: other channels, another mention
        - {when: {equals: {body.level: debug}}, channels: ["#noise"], mention: null}
      burst: 10/1m                # so many are posted one by one; the rest becomes one line that counts them
      coalesce: 5s                # or: all that comes within this time is one message
      thread: "{body.number}"     # messages for which this is the same are replies to the first

An unknown key is an error. \`hookline bot validate\` says where something is wrong; \`hookline bot start NAME\` reads the file again.`,
  },
  template: {
    title: 'messages with {body.field} tokens, filters, and Liquid',
    text: `# Templates

- \`{body.repository.full_name}\` is a value of the payload; \`{action}\` is short for \`{body.action}\`; \`{body.commits.0.message}\`
  reaches into a list; \`{headers.x-name}\` is a header of the request, \`{event}\` the kind of event.
- Filters: \`{title|truncate:80}\`, \`{sha|short}\`, \`|upper\`, \`{commits|count}\`, \`{labels|join:", "}\`, \`{who|default:"-"}\`.
- Texts appear as they are, numbers and booleans as in JSON, objects and lists as compact JSON.
- When any token has no value, \`output.fallback\` says what happens: see \`hookline explain fallback\`.
- \`{{\` and \`}}\` are literal braces. Braces around spaces, quotes or nothing are plain text.
- \`output.templates\` has one for each event: \`push\`, \`pull_request.closed\`, \`*\`; the most specific is used, then \`output.template\`.
- \`output.engine: liquid\` for conditions and loops: \`{% for commit in commits %}{{ commit.id | short | bold }} {% endfor %}\`.
- \`output.preset\` has templates for a service: \`hookline preset list\`.
- Several lines become several lines in the chat, ten at most for one delivery; the whole text stays in the record.
- Values can neither format nor wake anybody; you can: \`\\x02\` in a token template, \`| bold\` and \`| colour: "red"\` in Liquid.

Try one: \`hookline bot test NAME --payload FILE --event push\`. All of it with examples: docs/templates.md.`,
  },
  filter: {
    title: 'which deliveries a bot speaks of',
    text: `# Filter rules

    trigger:
      filter:
        events: [push, pull_request.*]         # one of these; with the action, or with a star
        exists: body.repository                # a path, or a list of them
        equals: {body.action: [opened, closed]}
        contains: {body.labels.0.name: bug}    # a part of the text, or an entry of the list
        matches: {body.ref: "^refs/heads/main$"}
        not: {equals: {body.sender.type: Bot}}
        any: [{exists: body.a}, {exists: body.b}]

Every rule that is given must hold; \`any\`, \`all\` and \`not\` contain rules again. A delivery that is left out is answered 200 \`skipped\`: nothing
is posted, no handler runs, and the record says which rule it was. Patterns run in linear time: no back-references, no lookahead.

The event is what a header says (X-GitHub-Event and the like); if the payload names it instead, say where: \`trigger.event: body.type\`.`,
  },
  fallback: {
    title: 'when a token has no value or no template fits',
    text: `# Fallback

\`output.fallback\`:

- \`json\` (default): the whole payload is the message, three lines of it at most
- \`summary\`: two lines at most: the event, titles, the first link, what is missing
- \`skip\`: nothing is posted
- \`error\`: the delivery fails, the owner is told, and it can be replayed

The record of the delivery names the tokens that had no value: \`hookline bot deliveries show ID\`. To give one a default: \`{path|default:"-"}\`.`,
  },
  triggers: {
    title: 'bots that react to the chat, to the clock and to silence',
    text: `# Triggers

    trigger: {type: event, on: join}                                    # also part, quit, kick, nick, topic, message, delivery
    trigger: {type: event, on: message, match: {command: "!deploy"}}    # also starts_with, contains, mentions_me
    trigger: {type: event, on: delivery, bots: [spark-ori-ci], outcome: failed}
    trigger: {type: schedule, cron: "0 9 * * 1-5", timezone: Europe/Berlin}
    trigger: {expect: every 24h}                                        # a webhook bot that says when none came

- The payload says what happened: \`{nick}\`, \`{channel}\`, \`{text}\`, \`{args}\`, … for templates and handlers alike.
- \`in\` and \`from\` narrow it to channels and nicks; \`output.here: true\` answers only where it happened.
- What bots say in the chat wakes no bot. Deliveries that cause each other end after three.
- A bot reacts 10 times at once at most, and once a second from then on (\`trigger.rate\`); what happens beyond that is dropped, and its owner is told.
- A scheduled run that was missed is lost; with \`catch_up: true\` the last one is made up for.

Fields of every payload, and examples: docs/triggers.md.`,
  },
  handler: {
    title: 'code instead of a template: handler.py, handler.ts',
    text: `# Handlers

A file beside bot.yaml that takes the template's place. \`handler.py\`:

    async def handle(payload, bot):
        if payload["action"] != "opened":
            return None                       # nothing is posted
        bot.state["count"] = bot.state.get("count", 0) + 1
        return f'{bot.state["count"]}: {payload["issue"]["title"]}'

\`handler.ts\`, \`handler.mjs\` and \`handler.js\` export \`async function handle(payload, bot)\`. \`bot\` has name, nick, owner,
description, created, channels, mention, dm_owner, template, fallback, delivery_id, and state, which is kept between calls.
In JavaScript there is also \`bot.signal\`, which aborts when the time is up.
An exception fails the delivery; see it with \`hookline bot logs NAME\`, mend the file (the next delivery uses it), then
\`hookline bot replay ID\`.

Limits: 10 s for a call (\`handlers.timeout_ms\` in server.yaml); memory of 512 MiB for Python, of 256 MiB heap for Node; 64 KiB for an
answer, 256 KiB for \`bot.state\`; 64 MiB for a file; 256 open files and 64 processes and threads; 16 MiB printed in ten seconds.
Processes stay for the next call, 32 in all (\`handlers.max_warm\`), ten minutes at most: keep in \`bot.state\` what is to last, not in variables.
On Linux a handler lives in namespaces of its own where the system allows it: what it started ends with it, and it can signal nobody
else. It can read files and use the network: run no handler that you do not trust. \`handlers.isolation: none\` turns the namespaces off, for sudo and ssh.`,
  },
  testing: {
    title: 'trying a bot on samples and on what came, also in CI',
    text: `# Testing a bot

    hookline bot test NAME --fixture github/push        # what it says to a sample payload
    hookline bot test NAME --fixture github --golden    # whether it still says the same to every sample
    hookline bot capture NAME --last 60                 # keep the payloads that came, in captured/ of its folder
    hookline bot suggest NAME --event push              # tokens that every push has
    hookline bot lint NAME                              # for how many payloads its templates have all values

- \`--golden\` writes \`golden/<fixture>.txt\` beside bot.yaml if there is none, and exits with 1 if the bot says something else. \`--update\` makes what it says
  now the expected text. Keep these files with the bot.
- \`bot test\` and \`bot lint\` need no server, no network and no secret: run them in CI.
- \`bot lint\` exits with 1 if a payload would fall back or fail. What helps: a default (\`{body.action|default:"-"}\`), a template for the event
  (\`output.templates\`), or a filter that leaves the event out (\`trigger.filter\`).
- Captured payloads may hold personal data. One that you give a name of your own stays when newer ones come: take out what is personal, and commit it.

All of it with examples: docs/testing.md.`,
  },
  webhook: {
    title: 'posting to a bot: URL, answers, proof',
    text: `# Webhooks

    curl -H 'Content-Type: application/json' -d '{"text":"hello"}' http://127.0.0.1:7680/spark-ori-ghci

The body is a JSON object. Answers: 200 posted, skipped or a duplicate; 202 on disk, posted soon; 400 not JSON or not an object; 401 not
proven; 403 not from that address, or from a web page; 404 no such bot; 410 expired; 413 too large; 429 too many; 500 the handler
or template failed (the id can be replayed); 503 the bot is not active. All of them, with what to do: docs/deliveries.md.

With \`trigger.auth\` the request proves its sender: as GitHub does by default, as many others do, or with a token; see
\`hookline explain authentication\`. The same X-GitHub-Delivery, Idempotency-Key or webhook-id with the same body is posted once.`,
  },
  authentication: {
    title: 'who may post to a bot: types of proof, secrets, rotation',
    text: `# Proof of the sender

\`trigger.auth\` of bot.yaml, or \`--auth TYPE --secret generate\`. What a request carries:

${typeList()}

- Any of up to ten secrets proves it: the secret itself, \`env:NAME\` or \`file:PATH\`.
- \`hookline bot rotate-secret NAME\` makes a new one and keeps the one before; \`--drop-old\` ends that.
- Stripe, Slack, Sentry, Linear and PagerDuty make the secret: copy it there, \`--secret -\` reads it from standard input.
- \`hmac\` takes \`header\`, \`prefix\`, \`separator\`, \`encoding\`, \`hash\`, \`signed\`, \`id\`, \`timestamp\`, \`tolerance\`, \`key\`.
- Where a time is signed, it must be within \`tolerance\` seconds of the server's.
- Bound to more than 127.0.0.1, the listener does not serve a bot without \`trigger.auth\`; \`type: none\` makes it serve one.

Why a request was refused is in the server's log: \`hookline bot logs NAME\`. More, with examples: docs/authentication.md.`,
  },
  accounts: {
    title: 'names that belong to people and agents, and how they log in',
    text: `# Accounts

    hookline account create spark-claude --token laptop      # an agent: the token is shown once
    hookline account create spark-ori --generate             # a person; or they register in the chat

- The nick of an account is only for whoever is logged in to it; others hear 433. What bots keep for that nick goes to nobody else.
- To log in: SASL PLAIN, SCRAM-SHA-256 or EXTERNAL; \`PASS account:password\` for clients without SASL; \`/msg NickServ IDENTIFY\`.
  A token works wherever a password does, except with SCRAM.
- A bot wakes the agent that \`--mention\` names: besides the line in the channel the agent gets \`NOTICE <nick> :<bot> mentioned you in <#channel>: <text>\`
  from the server. While it is away the notice waits, and only its account gets it.
- In the chat: \`/msg NickServ HELP\`, and \`REGISTER\` for clients that know draft/account-registration. \`accounts.registration.enabled: false\`
  in server.yaml leaves it to you.
- \`accounts.required: true\` lets nobody in without an account.
- Five failed logins a minute for one account from one address, then none: \`accounts.failures_per_minute\`.

All of it with examples: docs/accounts.md.`,
  },
  home: {
    title: 'the folder where everything is',
    text: `# The home folder

\`$HOOKLINE_HOME\`, else \`~/.hookline\`: readable by you alone.

- \`server.yaml\`: settings of the server; none is needed: see \`hookline explain server.yaml\`
- \`bots/<bot>/\`: the bots, each with its \`bot.yaml\`, perhaps a handler, \`golden/\` and \`captured/\`
- \`bots.lock\`: held by whoever changes a bot, one at a time
- \`data/\`: what was said and what was delivered
- \`control.sock\`: the way to the running server, for this command
- \`server.pid\`: the running server's; \`server.log\`: the log of a server in the background, \`server.log.1\`: the one before
- \`trash/\`: bots that were deleted, and what \`server restore --force\` moved aside`,
  },
  'server.yaml': {
    title: 'the settings of the server, all of them, with their defaults',
    get text() {
      return `# server.yaml

\`$HOOKLINE_HOME/server.yaml\`, or what \`--config\` names. None is needed, and it may hold as little as this:

    server:
      name: spark                # --name lasts for one start only; without a name here the next start takes local
    listeners:
      - port: 6667               # IRC, on 127.0.0.1
      - {host: 0.0.0.0, port: 6697, tls: {cert: fullchain.pem, key: privkey.pem}}
    webhooks:
      port: 7680
      keep_days: 30              # deliveries, with their payloads
    history:
      days: 365                  # what is older goes;
      channel_messages: null     # no limit to their number

A flag of \`server start\` wins over the environment (\`HOOKLINE_NAME\`, \`HOOKLINE_PORT\`, …), and that over this file. An unknown key is an error that says
where it is. After a change, run \`hookline server reload\`: it names the settings that wait for the next start. Below, \`[]\` stands for each entry of a list.

## Settings

${settingsList()}`
    },
  },
  service: {
    title: 'a server that outlives a reboot, is backed up, watched, and moved to another machine',
    text: `# As a service

First put the name and the ports into server.yaml (\`hookline explain server.yaml\`), so that every start has them. \`hookline server start --detach\` runs in the
background until the machine restarts. With systemd, as /etc/systemd/system/hookline.service, here for a user of its own called \`hookline\`:

    [Unit]
    Description=Hookline
    After=network.target

    [Service]
    User=hookline
    StateDirectory=hookline
    Environment=HOOKLINE_HOME=/var/lib/hookline
    ExecStart=/usr/local/bin/hookline server start
    ExecReload=/usr/local/bin/hookline server reload
    Restart=on-failure

    [Install]
    WantedBy=multi-user.target

\`systemctl enable --now hookline\`. Commands reach it as that user: \`sudo -u hookline HOOKLINE_HOME=/var/lib/hookline hookline server status\`. Without
systemd, a line of \`crontab -e\`: \`@reboot hookline server start --detach\`, with the whole path of hookline, and node in a line \`PATH=…\` before it.

- Every night, from cron: \`hookline server backup /backups/hookline-$(date +\\%F).tar\`. cron takes a bare \`%\` for the end of the line.
- To move to another machine: \`server stop\`, then \`server backup\`, copy the file, \`server restore FILE\` there, \`server start\`. Copy by hand what lies outside the
  home folder: certificates, \`file:\` secrets, the environment. Then give the senders the new URLs: \`hookline bot list --json\` has each bot's \`url\`.
- To upgrade: \`server backup\`, \`server stop\`, install it, \`server start\`.
- \`GET /health\` on the webhook listener answers 200 while it serves; \`GET /metrics\` is for Prometheus, on this machine alone.
- The log is JSON on stderr; with \`--detach\` it is \`server.log\` in the home folder.
- If an alert was not shown: \`hookline bot logs NAME\` lists deliveries, \`hookline bot deliveries NAME --before TIME\` lists older ones,
  \`hookline bot deliveries show ID\` shows what became of a delivery, \`hookline bot why ID\` why. If it is not listed, it never came to that bot, or was refused:
  look at the URL, and at the answer that the sender got; the server's log has the reason, and of a 404 the name that was asked for.`,
  },
  'exit codes': {
    title: 'what the numbers mean',
    text: `# Exit codes

- 0: done
- 1: the input is wrong
- 2: the environment or setup is: no server runs, an address is in use, a folder cannot be written
- 3: authentication
- 4: an upstream API

An error is \`error: …\` and \`hint: …\` on stderr; with \`--json\` one line: \`{"code":1,"kind":…,"message":…,"remediation":…}\`.`,
  },
}
