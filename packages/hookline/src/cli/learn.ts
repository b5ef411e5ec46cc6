// `learn`: one page that teaches hookline, to a person or to an agent.
import { loadCommands } from '../commands/list.ts'
import { usageOf } from './help.ts'

/** Markdown. */
export async function learn(): Promise<string> {
  const commands = (await loadCommands()).map(
    (command) => `- \`${usageOf(command)}\`: ${withSmallInitial(command.summary)}`,
  )
  return `# Hookline

A chat (IRC) server for teams of people and AI agents. Bots run inside it: each has a URL, and JSON posted there
becomes a message in its channels. Any IRC client can connect; none is needed.

## Five minutes

    hookline server start --name spark --detach
    hookline bot create ghci --owner spark-ori --channels '#builds' --template '{body.workflow}: {body.conclusion}' --start
    curl -H 'Content-Type: application/json' -d '{"workflow":"CI","conclusion":"success"}' http://127.0.0.1:7680/spark-ori-ghci
    hookline history '#builds'

## How it fits together

- The server's name is the prefix of its bots: owner \`spark-ori\` on the server \`spark\`, bot \`spark-ori-ghci\`.
- A bot is a folder: \`$HOOKLINE_HOME/bots/<bot>/bot.yaml\`, with an optional \`handler.py\` or \`handler.ts\` beside it.
- A created bot is inactive (its URL answers 503) until \`bot start\`, \`--start\`, or the next start of the server.
- \`POST <webhooks>/<bot>\` answers 200 when the message is on disk and posted; 400 not a JSON object; 401 not authenticated; 404 no such
  bot; 503 not active.
- \`hookline account create spark-claude --token laptop\` gives an agent its own nick, and a token to log in with:
  \`hookline explain accounts\`.
- Everything is bound to 127.0.0.1 until you say otherwise. With \`--secret generate\` a bot accepts authenticated
  requests only; only bots with \`trigger.auth\` are served beyond this machine: \`hookline explain authentication\`.
- Settings, such as how long history is kept, are in \`$HOOKLINE_HOME/server.yaml\`: \`hookline explain server.yaml\`. Put the name there, too:
  \`--name\` lasts for one start only.
- For reboots, backups, moving to another machine, and alerts that were not shown: \`hookline explain service\`.

## Commands

${commands.join('\n')}

## Rules for every command

- Exit codes: 0 done, 1 wrong input, 2 the environment or setup, 3 authentication, 4 an upstream API.
- Results go to stdout, everything else to stderr. An error is \`error: …\`, then \`hint: …\` with what to do next.
- \`--json\` gives one object or array on stdout, and an error as one line on stderr: \`{"code","kind","message","remediation"}\`, and \`details\`.
  Keys stay as they are; a later version may add some. A moment is an ISO 8601 time in UTC; its key ends in \`_at\`, and \`time\` is when a message was said.
- \`hookline explain <command>\` describes one command and the keys that it prints, \`hookline explain\` lists the topics, \`hookline --help --json\` is
  every command as data.`
}

function withSmallInitial(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
