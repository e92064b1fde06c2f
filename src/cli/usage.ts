/** What `--help` prints. Examples first; each fits a screen of 24 lines and 100 columns. */

const window = `  --policy NAME           balanced, session-window, … (throughline policies list)
  --policy-file FILE      a policy as JSON; may extend a preset: {"extends": "balanced", "fit": {…}}
  --overrides JSON        fields that replace the policy's: '{"fit":{"messages":20}}'
  --model ID, --budget N  whose window and tokenizer; tokens for the whole request
  --target NAME           openai-chat openai-responses anthropic google ai-sdk messages text-tagged
                          text-numbered`

const input = `FILE is a JSON array of messages, a request object, or one message per line; - or none is stdin.`

export const usages = {
  throughline: `throughline: turns a conversation into the window a model should see, and explains it

  throughline assemble chat.json --budget 8000       the request that fits
  throughline explain chat.json --budget 8000        what was left out, and why
  throughline validate chat.json --policy handoff-assistant-first
  throughline assemble --jsonl < requests.jsonl      one answer per line, for any language
  throughline explain --sample --budget 9000         without any file of your own

Commands
  assemble   build a window and print the request
  explain    tell the fate of every message
  validate   check a history against a policy
  policies   list, show, diff

Everywhere: --json (one document), --no-color (also NO_COLOR), --help, --version.
Data goes to stdout, words for people to stderr.
Exit codes: 0 ok, 1 input refused, 2 wrong usage, 6 the budget cannot fit, 130 interrupted.`,

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
  throughline explain --sample --budget 9000

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
} as const
