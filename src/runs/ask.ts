/** The window a run sends, and what is kept of it. */
import { defined } from '../core/message/defined.js'
import type { Target } from '../core/message/target.js'
import type { PolicyChoice } from '../core/policy/presets/index.js'
import type { Overrides } from '../core/policy/schema.js'
import type { RecallShare } from '../core/receipt/receipt.js'
import type { ModelRow } from '../core/tokens/models.js'
import { type Assembled, assemble } from '../core/window/assemble.js'
import type { Marks } from '../core/window/memo.js'
import { counterFor, resolvePolicy } from '../core/window/plan.js'
import { nameOf } from '../core/window/recall.js'
import type { History } from '../engine/history.js'
import type { Windowed } from '../engine/window/window.js'
import type { Model, ModelRequest } from '../models/wire/contract.js'
import type { Entry } from '../store/contract/entry.js'
import type { StoredReceipt } from '../store/contract/keeping.js'
import { digest } from '../store/shared/runtime.js'
import type { Run, RunRequest } from './contract.js'
import type { Settings } from './settings.js'

export interface Asking {
  readonly history: History
  readonly run: Run
  readonly request: RunRequest
  readonly model: Model
  readonly policy: PolicyChoice
  readonly system: string | undefined
  readonly summarises: boolean
  /** The message to answer, when the branch ends in one. */
  readonly current: Entry | null
}

/** What a window needs of it. */
export interface WindowQuestion extends Pick<Asking, 'history' | 'policy' | 'system' | 'summarises'> {
  readonly run: Pick<Run, 'branch'>
  readonly request: Pick<Settings, 'budget' | 'overrides'> & Pick<RunRequest, 'tools' | 'marks' | 'trace'>
  readonly model: Model | Pick<Model, 'id'>
  /** The message to answer, as core takes it. */
  readonly current: unknown
}

/** Beyond what a run asks for: how the same window is looked at. */
export interface Look {
  readonly target?: Target | undefined
  readonly compat?: 'literal' | undefined
  readonly risks?: boolean | undefined
}

/** How many messages of the history a try may have; null for all that fit. */
export type MessageShare = number | null

export async function ask(asking: WindowQuestion, share: MessageShare, look: Look = {}): Promise<Windowed> {
  const { history, run, request, model, policy, system, current } = asking
  const options = {
    policy,
    model: model.id,
    ...('facts' in model && {
      models: [rowOf(model)],
      target: model.target,
      ...defined({ profile: model.profile, issuer: model.issuer }),
    }),
    ...defined(look),
    summarises: asking.summarises,
    ...(request.budget === undefined ? null : { budget: request.budget }),
    ...(system === undefined ? null : { system }),
    ...(request.tools === undefined ? null : { tools: request.tools }),
    ...(current === null ? null : { current }),
  }
  if (share === 0 && current !== null) {
    const { policy: _, current: message, system: prompt, tools, ...rest } = options
    const overrides = request.overrides && { overrides: request.overrides }
    const input = { current: message, ...(prompt === undefined ? null : { system: prompt }), ...(tools && { tools }) }
    const resolved = resolvePolicy(policy, { ...overrides })
    const counted = resolved.ok ? await counterFor(resolved.policy, rest) : null
    return { ...assemble(input, policy, { ...rest, ...overrides, ...counted }), hydrated: nothing, heeded: {} }
  }
  const overrides = limited(request.overrides, share)
  return history.window({
    ...options,
    branch: run.branch,
    ...(overrides && { overrides }),
    ...(request.marks && { marks: request.marks }),
    ...(request.trace === undefined ? null : { trace: request.trace }),
  })
}

type How = Pick<RunRequest, 'output' | 'temperature' | 'settings'>

/** What a model is asked with a window. */
export function requestOf(
  { window, items }: Assembled & { ok: true },
  conversation: string,
  how: How & Pick<RunRequest, 'tools'> & { readonly system: string | undefined },
  signal: AbortSignal,
): ModelRequest {
  const { system, tools, output, temperature, settings } = how
  const cacheKey = digest(conversation).slice(0, 32)
  return { window, items, signal, cacheKey, ...defined({ system, tools, output, temperature, settings }) }
}

const nothing = { head: null, stored: 0, loaded: 0, tokens: 0, milliseconds: 0 }

function limited(overrides: Overrides | undefined, share: MessageShare): Overrides | undefined {
  if (share === null) return overrides
  return { ...overrides, fit: { ...overrides?.fit, messages: Math.max(1, share) } }
}

export const isQuestion = ({ body }: Entry): boolean => body.kind === 'message' && body.role === 'user'

/** As core takes it; the id lets it stand in the window once. */
export function entryMessage({ id, body, at, author }: Entry): object {
  const parts = body.kind === 'message' ? body.parts : []
  return { id, role: 'user', parts, timestamp: at, ...(author === undefined ? null : { name: author }) }
}

/** The catalog does not know every model on this machine; the model itself does. */
export function rowOf({ id, facts }: Model): ModelRow {
  const bare = id.replace(/^.*\//, '').toLowerCase()
  const match = `${bare.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
  return {
    match,
    provider: facts.provider,
    family: facts.family,
    window: facts.window,
    output: facts.output,
    scale: facts.scale,
    assumed: facts.source === 'assumed',
  }
}

/** What a receipt is kept with: enough to make the same window again. */
export interface KeptReceipt {
  readonly receipt: unknown
  readonly run: string
  readonly branch: string
  readonly head: string | null
  /** The message that was answered, when it stood apart from the history. */
  readonly current: string | null
  readonly share: MessageShare
  readonly model: string
  readonly policy: string | PolicyChoice
  readonly overrides: Overrides | null
  readonly budget: number | null
  readonly system: string | null
  readonly tools: RunRequest['tools'] | null
  /** How the answer was asked for; older receipts do not say it. */
  readonly asked?: How
  /** What the window heeded besides the messages; receipts from before it heeded anything have none. */
  readonly heeded?: {
    readonly marks: Marks | null
    /** The entry of the summary that was offered to it. */
    readonly summary: string | null
    /** The share that was left to what is recalled; `true` in receipts from when there was but one. */
    readonly recall: boolean | RecallShare
    /** The names of what was quoted, in the order in which it was offered; null where something was offered that was not taken first. */
    readonly offered?: readonly (string | null)[]
  }
}

export function receiptOf(
  asking: Asking & { readonly id: string },
  made: Windowed & { ok: true },
  share: MessageShare,
  at: string,
): StoredReceipt {
  const { run, request, model, policy, system, current } = asking
  const body: KeptReceipt = {
    receipt: made.receipt,
    run: run.id,
    branch: run.branch,
    head: made.hydrated.head ?? current?.id ?? null,
    current: current?.id ?? null,
    share,
    model: model.id,
    policy,
    overrides: request.overrides ?? null,
    budget: request.budget ?? null,
    system: system ?? null,
    tools: request.tools ?? null,
    asked: defined({ output: request.output, temperature: request.temperature, settings: request.settings }),
    heeded: {
      marks: made.heeded.marks ?? null,
      summary: made.heeded.summary?.id ?? null,
      recall: made.heeded.recall ? (made.heeded.recall.share ?? 'usual') : false,
      offered: offeredIn(made),
    },
  }
  return { id: receiptIdOf(asking.id), conversation: run.conversation, entry: null, at, body }
}

export const receiptIdOf = (id: string): string => `ctx_${id.replace(/^run_/, '')}`

/** What comes first has a place of its own, so that one which was not taken is remembered as such. */
function offeredIn({ heeded, receipt }: Windowed & { ok: true }): readonly (string | null)[] {
  const taken = new Set(receipt.recall?.items.map(nameOf))
  const [first, ...rest] = (heeded.recall?.items ?? []).map(nameOf).map((name) => (taken.has(name) ? name : null))
  return taken.size === 0 ? [] : [first ?? null, ...rest.filter((id) => id !== null)]
}
