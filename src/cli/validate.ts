/** `throughline validate`: what each message is, and every problem that a policy has with the history. */
import type { Issue } from '../core/message/issue.js'
import { check } from '../core/rules/check.js'
import { type AnswerFault, answerLine, type Reply } from './answer.js'
import { askedBy, baseOf, type Flags } from './asked.js'
import { judge, type Verdict } from './judge.js'
import { exitOf, exits } from './kit/failure.js'
import type { Request } from './kit/request.js'
import { put, putJson, say } from './kit/sink.js'
import { number, paintFor, printable, table, widthOf } from './kit/term.js'

export async function validateFile(args: Flags & { readonly json?: unknown }): Promise<number> {
  const asked = await askedBy(args)
  const request: Request = { ...(await baseOf(args, asked)), ...asked }
  const said = await answerLine(request)
  const report = reportOf(judge(request), said, request.target)
  if (args.json) await putJson({ schema: 'throughline.validate/1', ok: report.errors.length === 0, ...report })
  else await tell(report)
  const [first] = report.errors
  return first ? exitOf(first) : exits.ok
}

/** What `assemble` says goes first; `judge` adds the problems behind the first refusal. */
function reportOf(verdict: Verdict, said: Reply, target: Request['target']): Verdict {
  const errors: Issue[] = said.ok ? [] : [issueIn(said.error)]
  if (said.ok && target !== undefined)
    for (const { rule, path, message } of check(target, said.request ?? bodyOf(said)))
      errors.push({ code: `check.${rule}`, field: path, message })
  return {
    ...verdict,
    errors: distinct([...errors, ...verdict.errors]),
    warnings: distinct([...said.warnings, ...(said.ok ? leftOut(said) : verdict.warnings)]),
  }
}

/** Without the fields that say nothing. */
const issueIn = ({ code, message, field, reason, value, type }: AnswerFault): Issue => ({
  ...{ code, message },
  ...(field !== null && { field }),
  ...(reason !== null && { reason }),
  ...(value !== null && { value }),
  ...(type !== null && { type }),
})

const bodyOf = ({ rendered, receipt }: Extract<Reply, { readonly ok: true }>): unknown => {
  if (typeof rendered === 'string') return rendered
  const key = receipt.target === 'google' ? 'contents' : receipt.target === 'openai-responses' ? 'input' : 'messages'
  return { [key]: rendered }
}

const told = new Set(['over_messages', 'role', 'empty', 'malformed', 'too_long'])

/** Messages that intake left out and about which nothing was said yet. */
const leftOut = ({ receipt }: Extract<Reply, { readonly ok: true }>): Issue[] =>
  receipt.lines
    .filter(({ stage, fate, rule }) => stage === 'intake' && fate === 'dropped' && !told.has(rule))
    .map(({ from, to, rule }) => ({
      code: `intake.${rule}`,
      field: from === to ? `messages[${from}]` : `messages[${from}–${to}]`,
      message: `left out: ${reasons[rule] ?? rule}`,
    }))

const reasons: Readonly<Record<string, string>> = {
  orphan: 'a tool result without its call',
  tool_pair: 'a tool result whose call is not in the window',
  duplicate: 'was there already',
}

function distinct(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>()
  return issues.filter(({ code, field, message }) => {
    const key = `${code} ${field} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}

async function tell({ policy, dialects, messages, errors, warnings }: Verdict): Promise<void> {
  const paint = paintFor(process.stdout)
  const width = widthOf(process.stdout)
  const seen = Object.entries(dialects).map(([name, count]) => `${name} ${number(count)}`)
  const rows = messages.map(({ index, speaker, dialect, holds }) => [String(index), speaker, dialect, holds])
  const lines = [
    paint.bold(`${number(messages.length)} messages · policy ${policy} · dialects: ${seen.join(', ') || 'none'}`),
    ...table(rows, [0]).map((row) => `  ${cropped(printable(row), width - 2)}`),
    ...errors.map((issue) => `${paint.red('✖')} ${line(issue)}`),
  ]
  await put(`${lines.join('\n')}\n`)
  const alarm = paintFor(process.stderr)
  for (const issue of warnings) say(`${alarm.yellow('!')} ${line(issue)}`)
  say(`${errors.length === 0 ? 'valid' : `${errors.length} errors`}, ${warnings.length} warnings`)
}

const line = ({ field, code, message }: Issue): string => printable(`${field ?? 'request'}  ${code}  ${message}`)

const cropped = (row: string, most: number): string => {
  const points = [...row]
  return points.length <= most ? row : `${points.slice(0, most - 1).join('')}…`
}
