/** A query that brings its own history (specification 1): nothing of it is stored. */

import { HistoryError, type Issue } from '../../core/message/issue.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import { type Assembled, assemble, type WindowItem } from '../../core/window/assemble.js'
import { ladder } from '../../models/ladder.js'
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelEvent,
  type Models,
  type Usage,
} from '../../models/wire/contract.js'
import { rowOf } from '../../runs/ask.js'
import { type Asserted, readAsserted, type UnsignedAssistant } from '../kit/asserted.js'
import type { Signer } from '../kit/sign.js'

interface Query {
  readonly workspace: string
  readonly prompt: string
  readonly conversationHistory?: unknown
  readonly model?: string
}

interface QueryEnv {
  readonly models: Models
  readonly signer: Signer
  readonly unsigned: UnsignedAssistant
}

export type QueryNews =
  | { readonly event: 'window'; readonly data: QueryWindow }
  | {
      readonly event: 'retry'
      readonly data: { readonly attempt: number; readonly wait_ms: number; readonly code: string }
    }
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'done'; readonly data: AnsweredQuery }

interface QueryWindow {
  readonly model: string
  /** False when no AI answers. */
  readonly ai: boolean
  readonly policy: string
  readonly messages: number
  readonly sent: number
  readonly dropped: number
  readonly tokens: number
  readonly warnings: readonly Issue[]
}

export interface AnsweredQuery {
  readonly text: string
  /** Send it back with the text, and the turn is known as ours. */
  readonly signature: string
  readonly model: string
  readonly ai: boolean
  readonly finish: FinishReason
  readonly usage: Usage | null
  readonly warnings: readonly Issue[]
  readonly receipt: Receipt
}

const policy = 'stateless-query'

/** Everything that can be refused is refused before the first event. */
export async function openQuery(
  env: QueryEnv,
  query: Query,
): Promise<{ readonly stream: (signal: AbortSignal) => AsyncGenerator<QueryNews> }> {
  const history = await readAsserted(query.conversationHistory, env.signer, query.workspace, env.unsigned)
  if (history.refused) throw new HistoryError(history.refused.code, [history.refused])
  const model = await env.models.find(query.model)
  const first = windowOf(query, model, history, null)
  return { stream: (signal) => answer(env, query, model, history, first, signal) }
}

async function* answer(
  env: QueryEnv,
  query: Query,
  model: Model,
  history: Asserted,
  first: Made,
  signal: AbortSignal,
): AsyncGenerator<QueryNews> {
  let made = first
  for (let attempt = 1; ; attempt++) {
    yield { event: 'window', data: windowFacts(made, model) }
    let said = false
    try {
      for await (const event of spoken(env, query, model, made, signal)) {
        said ||= event.event === 'delta'
        yield event
      }
      return
    } catch (error) {
      const rung = said || !isOverflow(error) ? null : ladder(first.items.filter(isHistory), attempt)
      if (!rung) throw error
      made = windowOf(query, model, history, rung.kept.length)
    }
  }
}

async function* spoken(
  env: QueryEnv,
  query: Query,
  model: Model,
  made: Made,
  signal: AbortSignal,
): AsyncGenerator<QueryNews> {
  const { window, items, receipt, warnings } = made
  let text = ''
  for await (const event of model.stream({ window, items, signal })) {
    if (event.type === 'text' || event.type === 'quote') {
      text += event.text
      yield { event: 'delta', data: { text: event.text } }
    }
    if (event.type === 'retry')
      yield { event: 'retry', data: { attempt: event.attempt, wait_ms: event.waitMs, code: event.code } }
    if (event.type === 'finish') {
      const signature = await env.signer.sign({
        workspace: query.workspace,
        conversation: null,
        role: 'assistant',
        content: text,
      })
      yield { event: 'done', data: { text, signature, ...facts(model, event), warnings, receipt } }
      return
    }
  }
  throw new ModelError('cut', 'the answer broke off')
}

const facts = (model: Model, { reason, usage }: ModelEvent & { readonly type: 'finish' }) => ({
  model: model.id,
  ai: isAi(model),
  finish: reason,
  usage,
})

type Made = Assembled & { readonly ok: true }

/** With at most so many messages of the history; null for all that fit. */
function windowOf(query: Query, model: Model, history: Asserted, most: number | null): Made {
  const made = assemble({ messages: most === 0 ? [] : history.messages, current: query.prompt }, policy, {
    model: model.id,
    models: [rowOf(model)],
    target: model.target,
    ...(most ? { overrides: { fit: { messages: most } } } : null),
  })
  if (!made.ok) throw new HistoryError('refused', [made.error, ...made.warnings])
  // what was no message has been reported with its reason already
  const own = made.warnings.filter(({ code }) => code !== 'admit.object' && code !== 'admit.none')
  const warnings = [...history.warnings, ...own, ...overSize(made.receipt)]
  return { ...made, warnings, receipt: { ...made.receipt, warnings } }
}

/** The newest 20 were over 100 KB, or over what the model takes, and the oldest of them went. */
function overSize({ totals, budget }: Receipt): Issue[] {
  const { dropped } = totals
  if (dropped === 0 || (budget.limit !== 'bytes' && budget.limit !== 'tokens')) return []
  const [code, within] =
    budget.limit === 'bytes'
      ? (['history.size', 'under 100 KB'] as const)
      : (['history.tokens', `within the ${budget.tokens} tokens that the model has room for`] as const)
  const message = `the history is kept ${within}: ${dropped} of ${totals.messages} messages were left out, the oldest first`
  return [{ code, field: 'conversationHistory', value: dropped, message }]
}

const windowFacts = ({ items, receipt, warnings }: Made, model: Model): QueryWindow => ({
  model: model.id,
  ai: isAi(model),
  policy,
  messages: receipt.totals.messages,
  sent: items.filter(isHistory).length,
  dropped: receipt.totals.dropped,
  tokens: receipt.budget.used,
  warnings,
})

const isAi = ({ kind }: Model): boolean => kind !== 'builtin'

const isHistory = ({ index }: WindowItem): boolean => index !== null

const isOverflow = (error: unknown): boolean => ModelError.is(error) && error.code === 'overflow'
