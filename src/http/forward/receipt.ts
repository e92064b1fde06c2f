/** The receipt of a request that was passed on: all of it was sent, or all but what had to be shortened. */
import { createHash } from 'node:crypto'
import type { Receipt } from '../../core/receipt/receipt.js'
import { findModel } from '../../core/tokens/models.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import type { ForwardUsage } from './answer.js'
import type { Call } from './recorder.js'

interface Outcome {
  readonly conversation: string
  readonly entry: string | null
  readonly at: string
  readonly usage: ForwardUsage | null
  readonly messages: number
  readonly ms: number
}

/** What is kept beside the receipt; system and tools are stored once and named by their hash. */
export interface ForwardedFacts {
  readonly model: string
  readonly agent: string | null
  readonly system: string | null
  readonly tools: string | null
  readonly usage: ForwardUsage | null
  readonly milliseconds: number
}

/** Null for a receipt that a run kept. */
export function forwardedIn({ body }: StoredReceipt): ForwardedFacts | null {
  return typeof body === 'object' && body !== null && 'forwarded' in body ? (body.forwarded as ForwardedFacts) : null
}

export async function receiptFor(call: Call, outcome: Outcome): Promise<StoredReceipt> {
  const { conversation, entry, at, usage, ms } = outcome
  const [system, tools] = [call.door.system(call.asked), call.asked.tools]
  const forwarded: ForwardedFacts = {
    model: call.model,
    agent: call.session.agent,
    system: await kept(call, conversation, system),
    tools: await kept(call, conversation, tools),
    usage,
    milliseconds: Math.round(ms),
  }
  return { id: call.receipt, conversation, entry, at, body: { receipt: accountOf(call, outcome), forwarded } }
}

async function kept({ frame, workspace }: Call, conversation: string, value: unknown): Promise<string | null> {
  if (value === undefined || value === null) return null
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const { sha256 } = await frame.store.putBlob(workspace, conversation, { bytes, mediaType: 'application/json' })
  return sha256
}

function accountOf({ door, model, sent, folded }: Call, { messages, usage }: Outcome): Receipt {
  const { family, window, source } = findModel(model)
  const used = usage?.input ?? 0
  const kept = Math.max(0, messages - folded)
  const line = (from: number, to: number, fate: 'kept' | 'folded', rule: string) =>
    to < from ? [] : [{ from, to, fate, stage: 'fold' as const, rule, tokens: null, chars: null, restore: null }]
  return {
    schema: 'throughline.receipt/1',
    policy: { name: 'agent', hash: '' },
    target: door.wire,
    model: { id: model, family, window, source },
    counter: { name: 'provider', exact: true },
    // the provider counts the request as a whole
    request: {
      window,
      budget: null,
      used,
      free: null,
      parts: { system: 0, tools: 0, frame: 0, history: used, summary: 0, recall: 0, markers: 0, current: 0 },
      messages: { sent: messages, of: messages },
      tokens: { sent: used, of: null },
      each: [],
    },
    budget: {
      tokens: null,
      used,
      free: null,
      reserve: { system: 0, tools: 0, response: 0 },
      limit: folded > 0 ? 'provider' : null,
      excess: 0,
    },
    totals: {
      messages,
      kept,
      clipped: 0,
      folded,
      summarised: 0,
      recalled: 0,
      dropped: 0,
      tokens: { before: null, after: used },
    },
    lines: [...line(0, folded - 1, 'folded', 'fold.abbreviate'), ...line(folded, messages - 1, 'kept', 'passed_on')],
    current: null,
    gaps: [],
    mended: [],
    warnings: [],
    wire: { hash: createHash('sha256').update(sent).digest('hex'), length: sent.length },
  }
}
