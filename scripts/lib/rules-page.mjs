// docs/rules.md: the rules that `check` knows, made from their table.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const page = join(root, 'docs', 'rules.md')

const intro = `# Rules

Made from the table in \`src/core/rules/table\` by \`npm run docs\`.

\`check(target, request, { model, baseUrl, profile })\` returns every rule that a request breaks: its id, the path, what is wrong
and, where it is known, the part of the provider's own refusal that stays the same. Rules about models and servers hold when
the request, the model's name or the address says which they are; \`throughline/rules\` exports the table.

A rule about *history* is one that a window made for the same target, model and profile never breaks. One about *settings*
is the caller's to keep. A *loss* is no refusal: the provider takes the request and silently leaves something out; \`check\`
tells it with \`losses: true\`. Rows with a code were collected from refusals that people got.
`

const legal = `## Legal, and not flagged

| code | what | source |
| --- | --- | --- |
| A-27 | Anthropic: calls and results without \`tools\` | anthropics/anthropic-sdk-python#849 |
| O-11 | OpenAI Responses: an output that answers a call behind \`previous_response_id\` or in a \`conversation\` | |
`

/** Writes the page, or says whether it is stale. */
export async function rulesPage(write) {
  const { rules } = await import(join(root, 'dist/core/rules/index.js'))
  const text = pageOf(rules)
  const stale = !existsSync(page) || readFileSync(page, 'utf8') !== text
  if (stale && write) writeFileSync(page, text)
  return stale && !write
}

export function pageOf(rules) {
  const sections = Object.entries(rules).map(([target, table]) => section(target, table))
  return `${[intro.trim(), ...sections, legal.trim()].join('\n\n')}\n`
}

function section(target, table) {
  const rows = [...table].sort((one, other) => rank(one) - rank(other))
  return [
    `## ${target}`,
    '',
    '| id | code | holds for | condition | the provider says | kind | repair | source |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(row),
  ].join('\n')
}

const rank = ({ code, profiles }) => (profiles ? 2 : code ? 0 : 1)

function row({ rule, code = '', models, profiles, says, wording, kind = 'history', repair = '', source = [] }) {
  const where = [profiles?.join(', '), models].filter(Boolean).join('; ')
  const cells = [`\`${rule}\``, code, where, says, wording ? quoted(wording) : '', kind, repair, source.join(', ')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

const quoted = (words) => (words.includes('`') ? `\`\` ${words} \`\`` : `\`${words}\``)
