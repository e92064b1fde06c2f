/** What `--help` prints. Examples first; each fits a screen of 24 lines and 100 columns. */
import { mcpUsage } from './usage-mcp.js'
import { storedUsages } from './usage-stored.js'

const window = `  --policy NAME           balanced, session-window, … (throughline policies list)
  --policy-file FILE      a policy as JSON; may extend a preset: {"extends": "balanced", "fit": {…}}
  --overrides JSON        fields that replace the policy's: '{"fit":{"messages":20}}'
  --model ID, --budget N  whose window and tokenizer; tokens for the whole request
  --target NAME           openai-chat openai-responses anthropic google ai-sdk messages text-tagged
                          text-numbered`

const input = `FILE is a JSON array of messages, a request object, or one message per line; - or none is stdin.`

export const usages = {
  ...storedUsages,
  mcp: mcpUsage,

  throughline: `throughline: conversations that go on: kept, windowed, explained

  throughline                                        a talk, at a terminal
  throughline chat "Which tea is strongest?"         asks, tells the answer as it comes, keeps both
  throughline chat -c "And the mildest?"             goes on where you were
  throughline context -c                             what the next turn would send, and why
  throughline serve                                  the same conversations over HTTP
  throughline assemble --jsonl < requests.jsonl      windows for any language, one per line
  throughline tour                                   without anything of your own

Conversations  chat, list, show, search, fork, context, receipts, compact
Tidy, carry    rename, pin, tag, archive, delete, import, export
Memories       memories add, list, edit, rm, export
Windows        assemble, explain, validate, policies
Agents         connect, task create, deploy, status, show, output, list
Service        serve, mcp, keys, config, doctor, service install
Everything     call OPERATION, with the names and fields of the service
Care           verify, reindex, backup, restore, repair, migrate, completion

Everywhere: --json (one document), --no-color (also NO_COLOR), --help, --version.
Data goes to stdout, words for people to stderr.
Exit codes: 0 ok, 1 failed or refused, 2 wrong usage, 3 not found, 4 conflict (someone was faster,
or it is there already), 5 the model failed, 6 the budget cannot fit, 78 wrong setting,
130 interrupted.`,

  assemble: `throughline assemble [FILE|-]: builds a window and prints the request

  throughline assemble chat.json --model gpt-4o --target openai-chat
  throughline assemble chat.json --budget 8000 --current "And now?" --json
  throughline assemble --jsonl < requests.jsonl > answers.jsonl

${input}
${window}
  --current TEXT, --system TEXT, --now ISO, --compat literal
  --json                  the whole result;  --receipt  only the receipt
  --sample                a sample conversation instead of FILE
  --jsonl                 one request per line in, one result per line out, at once and in order:
                          {"id", "messages", "current", "policy", "overrides", "model", "budget",
                          "target", "compat", "now", "system", "tools", "risks"}; options: defaults.
                          A bad line gets {"ok": false, "error": …}; the exit code stays 0.
THROUGHLINE_POLICY, THROUGHLINE_OVERRIDES and the specifications' own names set the default policy.`,

  explain: `throughline explain [FILE|-]: tells what became of every message, and why

  throughline explain chat.json --model gpt-4o --budget 8000
  throughline assemble chat.json --receipt | throughline explain
  throughline explain --sample --budget 5000

FILE is a receipt, a result of assemble (also one per line), or a history:
a JSON array of messages, a request object, or one message per line; - or none is stdin.
${window}
  --current TEXT, --system TEXT, --now ISO, --compat literal
  --sample                a sample conversation instead of FILE
  --json                  the receipt, the bars and the words as data

█ kept  ▞ clipped: cut in the middle  ▄ folded: old tool results shortened  ╱ dropped`,

  validate: `throughline validate [FILE|-]: checks a history against a policy

  throughline validate chat.json
  throughline validate chat.json --policy handoff-assistant-first
  throughline validate chat.json --target anthropic --json

Says what each message is and which dialect it is written in, then every problem with its path.
Exit code 1 when the policy refuses the history, 0 when there are only warnings (on stderr).
${input}
${window}
                          (with --target the request is checked against the provider's rules, too)
  --current TEXT, --system TEXT, --now ISO, --compat literal
  --sample                a sample conversation instead of FILE
  --json                  messages and problems as data`,

  policies: `throughline policies list | show NAME | diff A B: the rules that come with the package

  throughline policies list
  throughline policies show session-window
  throughline policies diff handoff-user-first handoff-assistant-first

NAME, A and B are names of presets or JSON files.

  --json                  as data: show prints a policy that --policy-file takes
  --compat literal        (show) to the letter of the specification, known faults included`,

  serve: `throughline serve: real conversations over HTTP, streamed, resumable, kept

  throughline serve
  throughline serve --port 8080 --db ./chat.db
  throughline serve --db postgres://user@host/name --host 0.0.0.0      any number of them

  --port N                7333, or the next that is free unless it was asked for
  --host H                127.0.0.1; anything but loopback needs keys (throughline keys create)
  --db FILE|postgres://…  where the data is (also THROUGHLINE_DB, DATABASE_URL)
  --model ID              who answers: anthropic/…, openai/…, ollama/…, builtin/extractive (no AI)
  --policy NAME           the windows' policy (throughline policies list)
  --config FILE           settings as JSON; else throughline.json, if there is one
  --log-level LEVEL       debug, info, warn, error, silent; JSON lines on stdout

Every setting is also a variable: THROUGHLINE_PORT, … (throughline config lists them).
Keys of providers: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY; OLLAMA_HOST.
SIGTERM or Ctrl-C: answers may finish for some seconds, the rest is resumable; twice: at once.`,

  service: `throughline service show|install|uninstall: the service starts with the machine

  throughline service install --port 8080    writes the file, and tells the system about it
  throughline service show                   what would be written, and where
  throughline service uninstall              takes it away; conversations stay

A unit of systemd for your user on Linux, an agent of launchd on macOS. It runs this program with
this Node, takes the options of \`serve\`, and starts again when it fails. On Linux,
\`loginctl enable-linger\` lets it run while you are not logged in.`,

  connect: `throughline connect AGENT: the lines that point a coding agent at the service

  throughline connect claude                prints them
  throughline connect codex --write         adds them to the agent's own settings
  throughline connect codex --undo          takes them back

AGENT is claude, codex, opencode, gemini, qwen, pi or cursor. The agent works as before; what its model
saw is recorded, and found with throughline list, show, search and receipts.
  --host, --port, --config   where the service listens, as for serve`,

  keys: `throughline keys create | list | revoke PREFIX: who may call the service

  throughline keys create --name laptop --scopes read,write
  throughline keys create --name team --workspace team-a --scopes admin
  throughline keys revoke tl_1a2b3c4d5e6f

A key belongs to one workspace and sees nothing of the others. It is shown once; a hash is kept.
  --workspace NAME        default unless said otherwise
  --scopes LIST           read, write, admin; each has those before it
  --name TEXT             for you
  --db FILE|postgres://…  --config FILE   where the service has its data
  --json                  as data`,

  config: `throughline config: the settings that hold, and where each comes from

  throughline config
  throughline config --config production.json --json
  throughline config --schema > throughline.schema.json      for an editor

Options go before variables (THROUGHLINE_…), variables before the file, the file before defaults.
Secrets are not shown. A wrong setting: exit code 78, with its name, its source and its bounds.
  --json                  as data;  --schema  every setting with its bounds and what it does
  --config FILE, --db, --host, --port, --model, --policy, --log-level   as for serve`,

  doctor: `throughline doctor: looks at a deployment and says what to do

  throughline doctor
  throughline doctor --config production.json --json

Node, settings, database (reachable, writable, format, durability), disk, clock, port, keys against
host, models (those of this machine are asked, others are not: no call costs), and a window.
Exit code 1 when something will not work.
  --json                  as data
  --config FILE, --db, --host, --port, --model, --policy   as for serve`,

  tour: `throughline tour: one screen on a sample conversation, without a key or a server

  throughline tour

A long conversation goes in, a window comes out, and the receipt says why.`,
} as const
