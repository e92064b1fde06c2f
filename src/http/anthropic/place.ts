/** Which conversation a stateless client means: the one it names, or the one where all but its news was said. */
import { createHash } from 'node:crypto'
import { decode } from '../../core/message/dialects/decode.js'
import type { OutputPart, Part } from '../../core/message/item.js'
import { canonical } from '../../store/shared/gate.js'
import { conversationIn } from '../dialect/named.js'
import type { TalkPlace } from '../dialect/start.js'
import { answerOf, type Turn } from '../dialect/turn.js'
import type { Context } from '../kit/context.js'
import type { MessagesBody } from './body.js'

type At = Pick<Context, 'frame' | 'request' | 'workspace'>

/** Records that lead from what was said up to an answer to the conversation it was said in. */
const kind = 'prefix'

export async function anthropicPlace({ frame, request, workspace }: At, body: MessagesBody): Promise<TalkPlace> {
  const conversation = conversationIn(request.headers)
  if (conversation !== null) return { kind: 'history', conversation }
  if (body.store === false) return { kind: 'nowhere' }
  const last = body.messages.findLastIndex(({ role }) => role === 'assistant')
  const known = last < 0 ? null : await frame.store.getRecord(workspace, kind, prefixOf(body, body.messages, last))
  return { kind: 'history', conversation: known?.conversation ?? `msgs_${frame.env.id()}` }
}

/** When the answer is there, whoever comes back with it is known by it; told before the answer's end is. */
export async function remember({ frame, workspace }: At, body: MessagesBody, turn: Turn): Promise<void> {
  if (!turn.kept) return
  const run = await turn.ended()
  const { entry, parts } = await answerOf(turn, run)
  if (!entry) return
  const id = prefixOf(body, [...body.messages, { role: 'assistant', parts }], body.messages.length)
  const record = { kind, id, conversation: run.conversation, body: { entry: entry.id }, at: frame.env.now() }
  await frame.store.putRecord(workspace, record)
}

/** Of the messages up to and including one, for one user. */
function prefixOf({ metadata }: MessagesBody, messages: readonly object[], last: number): string {
  const hash = createHash('sha256').update(canonical(metadata?.user_id ?? null))
  for (const message of messages.slice(0, last + 1)) hash.update(`\n${canonical(saidIn(message))}`)
  return hash.digest('hex')
}

/** What was thought on the way, and where one text ends and the next begins, is not told alike by all. */
function saidIn(message: object): unknown {
  const read = decode(message)
  if (!read.ok) return null
  const { role, parts, results } = read
  return [role, textIn(parts), parts.filter(({ type }) => type !== 'text' && type !== 'think'), results.map(resultIn)]
}

const resultIn = ({ callId, state, output }: { callId?: string; state: string; output: readonly OutputPart[] }) => [
  callId ?? null,
  state,
  output,
]

const textIn = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
