/** What `--help` prints for the commands on what is stored; `{messages.search}` is what the list says of that operation. */

const place = `  --db FILE|postgres://…  --config FILE  --workspace NAME   which data, as for serve`
const ids = `ID is a whole id, a beginning that only one has, or @last.`

export const storedUsages = {
  chat: `throughline chat [MESSAGE]: asks, tells the answer as it comes, and keeps both

  throughline chat "Which tea has the most caffeine?"
  throughline chat -c "And the least?"                   goes on where you were
  git diff | throughline chat Review this                standard input goes along
  throughline chat --resume caffeine                     finds it by what was said in it

Without a message, at a terminal: a talk. /context /fork /branch /undo /model /policy /help /exit
  -c, --continue          the newest conversation; --branch NAME: main unless said otherwise
  -t, --conversation ID   that one: a whole id, a beginning that only one has, or @last
  --resume [WORDS]        the one with these words in any message; you choose when there are several
  -m, --model ID          who answers; without any model the built-in one quotes, and says "no AI"
  --policy NAME           how the window is made (throughline policies list)
  --recall WHERE          how far it looks beyond itself: conversation, memories or workspace
  --system TEXT           the system prompt; a new conversation keeps these four
${place}
  --json                  one document when the answer has ended
Ctrl-C stops the answer and keeps what was said (exit code 130); twice leaves at once.
The answer goes to stdout, everything else to stderr. Exit code 5: the model failed.`,

  list: `throughline list: {conversations.list}

  throughline list
  throughline list -n 50 -q "oolong"
  throughline list --folder work --tag release --json

  -n, --limit N           20 unless said otherwise
  -q, --query TEXT        those with the words in their title; search finds them in messages
  --folder NAME, --tag NAME, --pinned, --archived
${place}
  --json                  as data`,

  show: `throughline show ID: what was said on a branch, or all branches as a tree

  throughline show @last
  throughline show 7f3a --branches          drawn as git log --graph draws them
  throughline show 7f3a --raw -n 1          the last message and nothing else

${ids}
  --branch NAME           main unless said otherwise
  --branches              every message of every branch, newest first, heads with their names
  -n, --limit N           only the newest N
  --raw                   the words alone
${place}
  --json                  as data`,

  search: `throughline search WORDS: {messages.search}

  throughline search oolong price
  throughline search "login fails" --role user --since 7d
  throughline search caffeine --in @last --json

  throughline search "what shall we drink" --mode hybrid

All of the words must be there, the last one as a beginning. Newest first.
  --mode MODE             keyword; semantic: those of like meaning, nearest first; hybrid: both
  --role ROLE             system, user, assistant, tool
  --since TIME            7d, 12h, 30m, 2w, or a date
  --in ID                 only this conversation; with --branch NAME only what is on that branch
  --tag NAME              only conversations with the tag
  -n, --limit N           20 unless said otherwise
${place}
  --json                  as data, with the places of the words`,

  fork: `throughline fork ID --at MSG: {branches.fork}

  throughline fork @last --at 4
  throughline fork 7f3a --at 4 --name cheaper
  throughline chat -t 7f3a --branch cheaper "And without the shipping?"

${ids}
MSG is a number that show gives, an id, or @last.
  --name NAME             fork-4, … unless said otherwise; one that is taken: exit code 4
${place}
  --json                  as data`,

  change: `throughline rename, pin, tag, archive, delete: {conversations.update}

  throughline rename @last Tea for twelve
  throughline pin 7f3a                      --off takes the pin away again
  throughline tag 7f3a release urgent       --off takes these tags away
  throughline archive 7f3a                  --off takes it out of the archive
  throughline delete 7f3a                   asks first; --yes where there is no one to ask

${ids}
${place}
  --json                  the conversation as data`,

  compact: `throughline compact ID: {conversations.compact}

  throughline compact @last
  throughline compact 7f3a --budget 4000

${ids}
Picked sentences, each with its source; names, numbers, paths and links are kept to the letter.
  --branch NAME           main unless said otherwise
  --budget N              tokens of the window; the model's own unless said otherwise
${place}
  --json                  as data`,

  context: `throughline context: the window that the next turn would send, and why; no model is asked

  throughline context @last
  throughline context 7f3a --budget 4000 --policy session-window
  throughline context -c --why 4            one message: its fate, the rule, the cost to restore it
  throughline context -c --wire             the exact request

  -c, --continue          the newest conversation, which is also the default
  -t, --conversation ID   that one: a whole id, a beginning that only one has, or @last
  --branch NAME           main unless said otherwise
  --current TEXT          what you would say next
  -m, --model ID, --policy NAME, --recall WHERE, --budget N     what if
  --why MSG               a number that show gives, an id, or @last
  --wire                  the request as it would go out
  --diff                  against the receipt of what was sent last
  --all                   one row for every message that was left out
${place}
  --json                  as data: throughline.context/1
█ kept  ▞ clipped  ▄ folded  ╱ dropped. Exit code 6: the budget cannot fit.`,

  import: `throughline import PATH: {transfer.import}

  throughline import chatgpt-export.zip
  throughline import ~/.claude                      every session of Claude Code
  throughline import ~/.codex --dry-run             only says what would be done

PATH is a file, a folder with everything below it, a zip, or - for standard input. The shape of
each file says what it is: ChatGPT, Claude.ai, Claude Code, Codex, opencode, Gemini CLI, Gemini
Takeout, AI Studio, LibreChat, Open WebUI, ShareGPT, fine-tuning lines, Markdown, or our own.
Again adds nothing: what has grown adds its tail, and what was edited becomes a branch.
  --from FORMAT           one format for all files: chatgpt, claude-ai, claude-code, codex, opencode,
                          gemini-cli, gemini-takeout, aistudio, librechat, openwebui, sharegpt,
                          openai-ft, markdown, throughline
  --dry-run               reads everything and writes nothing
  --watch                 goes on with what changes, until Ctrl-C
${place}
  --json                  the report as data: throughline.import/1`,

  export: `throughline export ID: {conversations.export}

  throughline export @last > talk.md
  throughline export 7f3a --to html -o talk.html
  throughline export --all -o everything.jsonl      the whole workspace, which import reads

${ids}
  --to FORM               json (everything: throughline.conversation/1), chatgpt (every branch), or
                          one branch: md, html, openai, anthropic, sharegpt
  --branch NAME           of the forms that have one; main unless said otherwise
  --all                   every conversation: throughline.archive/1
  -o, --output FILE       instead of stdout; a file that is there: exit code 4
${place}`,

  receipts: `throughline receipts [ID]: {receipts.list}

  throughline receipts                      of the newest conversation
  throughline receipts ctx_…                one of them in full

${ids} Without one: @last.
  -n, --limit N           so many, newest first (20)
${place}
  --json                  as data`,

  verify: `throughline verify [ID | --all]: {conversations.verify}

  throughline verify @last
  throughline verify --all

One changed byte shows. --all also checks the pages of a SQLite file, its counts, branches, files,
receipts and index, in every workspace. It only looks: nothing is made and nothing is mended.
Exit code 1 when something does not hold, with the place.
${ids}
  --all                   every conversation of the workspace, and the file itself
${place}
  --json                  as data: throughline.verify/1`,

  call: `throughline call [OPERATION [JSON | NAME=VALUE...]]: anything the product does, by its name

  throughline call                                            the names
  throughline call messages.mark --help                       its fields
  throughline call conversations.list limit=5
  throughline call messages.mark '{"conversation_id":"7f3a","message_id":"m4","pinned":true}'

The names, fields, answers and refusals are those of the service (docs/reference). The answer is JSON.
  --key KEY               makes a repeated write harmless
${place}`,

  reindex: `throughline reindex: makes anew what search finds messages by: words, and meaning

  throughline reindex
  throughline reindex --fresh               not where the last one was ended, but from the beginning

Others go on reading, writing and searching meanwhile. One that is ended goes on with the next call.
${place}
  --json                  as data: throughline.reindex/1`,

  backup: `throughline backup FILE: a copy of the database as it is now, while others go on writing

  throughline backup throughline-$(date +%F).db
  throughline serve --db throughline-2026-03-01.db       a backup is a database
  throughline backup daily.db --incremental              daily.db, then daily.db.1, daily.db.2, …

The copy gets its name when all of it is on the disk and was checked. A FILE that is there: exit
code 4. SQLite only; for PostgreSQL it says how pg_dump is called.
  --incremental           only the pages that changed since the last one; restore wants all of them
  --db FILE, --config FILE    which data; as for serve
  --json                  as data: throughline.backup/1`,

  restore: `throughline restore FILE: puts a backup in the place of the database

  throughline restore throughline-2026-03-01.db
  throughline restore throughline-2026-03-01.db --force

The backup is checked first. A database that is there: exit code 4, unless --force moves it aside.
  --force                 move the database aside that is there; it must not be in use
  --db FILE, --config FILE    which data; as for serve
  --json                  as data: throughline.restore/1`,

  migrate: `throughline migrate: brings the database to the format of this version

  throughline migrate --db postgres://…
  throughline migrate --db postgres://… --distribute     its tables over the servers of a Citus

Every command does the first by itself. Stop the servers before --distribute, and start them
afterwards; the rows of a workspace stay together. docs/scale.md
  --db FILE|postgres://…  --config FILE    which data; as for serve
  --json                  as data: throughline.migrate/1`,

  repair: `throughline repair FILE: makes a new database of what can still be read of a damaged one

  throughline repair repaired.db
  throughline repair repaired.db --db damaged.db

The damaged file is not touched. Each thing that was lost is named; exit code 1 when there is any.
  --db FILE, --config FILE    the damaged database; as for serve
  --json                  as data: throughline.repair/1`,

  memories: `throughline memories add | list | edit | rm | export: what is known beyond one conversation

  throughline memories add "Prefers metric units."
  throughline memories add --kind semantic "The shop opens at nine." -t @last --from 4
  throughline memories edit @last "Prefers metric units and short answers."
  throughline memories rm 7f3a                           throughline memories export > known.jsonl
  throughline chat --recall memories "How far is it?"    they go along only where you say so

ID is a whole id, a beginning that only one has, or @last.
add     --kind profile|semantic    who someone is, which always goes along (the default); or
                          something that is so, which goes along when it matters
        --from MSG [-t ID]         the message it is taken from; it goes with that
list    --kind, -n N      export   one JSON document a line, oldest first
edit    ID WORDS, --kind  rm       ID
${place}
  --json                  as data`,

  task: `throughline task create | deploy | status | show | output | list: work for agents, with its history

  throughline task create "Fix the login test" -t @last --cwd . --priority P1
  throughline task deploy @last --runner claude            or codex, gemini, …, model
  throughline task deploy @last --command "node agent.mjs"   the prompt on its stdin
  throughline task status @last                            throughline task output @last --tail 20
  throughline task show @last --json                       its registry, as specification 0 has it

ID is a task's whole id, a beginning that only one has, or @last; output also takes an agent's.
create  -t ID [--branch NAME] | --history FILE     the conversation that led to it: messages, or
        the transcript of Claude Code or Codex
        --preset NAME (handoff-user-first), --priority P0…P4 (P2), --parent ID, --cwd FOLDER
        --background TEXT, --deliverables, --criteria, --constraints, --files, --docs: a text or a
        JSON list; --compress none|extractive|model, -m MODEL, --tokens N
deploy  --runner NAME | --command CMD, -m MODEL, --prompt TEXT, --timeout 10m
        tells what the agent prints and waits; Ctrl-C ends it. Exit code 1: it did not complete
output  --err, --tail N, -f follows
list    -n N, -q WORDS, --state registered|active|blocked|completed|failed|cancelled
${place}
  --json                  as data`,

  completion: `throughline completion bash | zsh | fish: makes the shell complete commands and options

  throughline completion bash >> ~/.bashrc
  throughline completion zsh > "\${fpath[1]}/_throughline"
  throughline completion fish > ~/.config/fish/completions/throughline.fish`,
} as const
