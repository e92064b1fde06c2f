/** `throughline assemble`: a history in, a request out. */
import type { IssueCode } from '../core/message/issue.js'
import { answerLine, type Reply } from './answer.js'
import { askedBy, baseOf, type Flags } from './asked.js'
import { exitOf, exits, misused, sentence } from './kit/failure.js'
import type { Request } from './kit/request.js'
import { put, putJson, say } from './kit/sink.js'

interface Args extends Flags {
  readonly json?: unknown
  readonly jsonl?: boolean | undefined
  readonly receipt?: boolean | undefined
}

export async function assembleFile(args: Args): Promise<number> {
  const asked = await askedBy(args)
  if (args.jsonl) return stream(asked, args)
  const request = { ...(await baseOf(args, asked)), ...asked }
  const pretty = process.stdout.isTTY && !args.json && !args.receipt
  const said = await answerLine(pretty ? { risks: true, ...request } : request)
  if (args.json) await putJson(said)
  if (!said.ok) return refuseWindow(said)
  if (args.receipt) await putJson(said.receipt)
  else if (pretty) await show(said)
  else if (!args.json) await put(`${wire(said)}\n`)
  if (!pretty) for (const warning of said.warnings) say(`! ${sentence(warning)}`)
  return exits.ok
}

async function stream(defaults: Request, { file, sample, receipt }: Args): Promise<number> {
  if (sample || receipt || (file !== undefined && file !== '-'))
    throw misused('--jsonl reads requests from standard input', 'throughline assemble --jsonl < requests.jsonl')
  const { serveLines } = await import('./jsonl.js')
  await serveLines(process.stdin, put, defaults)
  return exits.ok
}

type Said<Ok extends boolean> = Extract<Reply, { readonly ok: Ok }>

export function refuseWindow({ error, warnings }: Said<false>): number {
  const issue = { code: String(error.code) as IssueCode, message: String(error.message) }
  for (const warning of warnings) say(`! ${sentence(warning)}`)
  say(`throughline: ${sentence(issue)}`)
  return exitOf(issue)
}

/** The very bytes that the hash in the receipt is of. */
const wire = ({ rendered, request, receipt }: Said<true>): string => {
  if (typeof rendered === 'string') return rendered
  return JSON.stringify(request ?? { [keys[receipt.target] ?? 'messages']: rendered })
}

const keys: Readonly<Record<string, string>> = { 'openai-responses': 'input', google: 'contents' }

async function show(said: Said<true>): Promise<void> {
  const { story } = await import('./kit/story.js')
  const { paintFor, widthOf } = await import('./kit/term.js')
  const { windowText } = await import('./window-text.js')
  await put(`${windowText(said, widthOf(process.stdout), paintFor(process.stdout))}\n`)
  say(`\n${story(said.receipt, widthOf(process.stderr), paintFor(process.stderr))}`)
}
