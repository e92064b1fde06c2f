/** What a request for a response asks for: where it goes on, what is said, and how it is answered. */
import { createHash } from 'node:crypto'
import { defined } from '../../../core/message/defined.js'
import type { Overrides } from '../../../core/policy/schema.js'
import type { Model } from '../../../models/wire/contract.js'
import { isOver } from '../../../runs/run.js'
import { modelNamed } from '../../dialect/model-name.js'
import { refuse } from '../../dialect/refuse.js'
import type { Ask, TalkPlace } from '../../dialect/start.js'
import { ensure } from '../../dialect/title.js'
import { branchHead, conversationAt } from '../../history/open.js'
import type { Context } from '../../kit/context.js'
import { Problem } from '../../kit/problem.js'
import { markSystem, systemOn } from '../items/system.js'
import { takeItems } from '../items/take.js'
import { openaiSettings } from '../shape/settings.js'
import { openaiTools, toolChoiceOf } from '../shape/tools.js'
import type { ResponseBody } from './body.js'
import { findResponse } from './record.js'
import { type Before, overflow, windowFor } from './window.js'

export interface ResponsesAsking {
  readonly place: TalkPlace
  readonly ask: Ask
  /** What it goes on from. */
  readonly before: Before | null
  readonly model: Model
  /** Items that came with it. */
  readonly inputs: number
  readonly own: boolean
}

type Requested = Pick<Context, 'frame' | 'workspace' | 'key'>

export async function askingOf(context: Requested, body: ResponseBody): Promise<ResponsesAsking> {
  const { frame, key } = context
  const { before, place, own } = await placeOf(context, body)
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? [])
  const taken = takeItems(input, 'input', frame.env.id, before !== null)
  if (taken.messages.length === 0 && !before?.head) throw refuse('input', 'is missing')
  const earlier = before ? await systemOn(context, before.conversation, before.head) : []
  if (taken.system.length > 0 && place.kind !== 'nowhere') {
    await ensure(context, place.conversation, taken.messages)
    await markSystem(context, place.conversation)
  }
  const system = [...(body.instructions ? [body.instructions] : []), ...earlier, ...taken.system].join('\n\n')
  const named = await modelNamed(frame.models, body.model)
  const model = named ?? (await frame.models.find(before ? await modelOf(context, before.conversation) : undefined))
  const ask = defined<Ask>({
    messages: taken.messages,
    model: named?.id,
    system: system === '' ? undefined : system,
    tools: openaiTools(body.tools),
    output: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    settings: openaiSettings({ ...body, format: body.text?.format, choice: toolChoiceOf(body.tool_choice) }),
    overrides: body.truncation === 'disabled' ? whole : undefined,
    budget: budgetOf(body, model),
    key,
  })
  const asking: ResponsesAsking = { place, ask, before, model, inputs: taken.messages.length, own }
  if (body.truncation === 'disabled') await checkWhole(context, asking)
  return asking
}

/** `truncation: "disabled"`: the policy without what shortens; what does not fit is refused before it is written. */
const whole: Overrides = {
  fold: { tools: 'keep' },
  clip: { user: null, assistant: null, tool: null },
  fit: { messages: null, turns: null, chars: null, bytes: null },
}

async function checkWhole(context: Requested, { before, ask, model }: ResponsesAsking): Promise<void> {
  const { receipt } = await windowFor(context, before, ask, model)
  if (receipt.totals.dropped === 0) return
  throw overflow(`${receipt.totals.dropped} messages do not fit the model's window, and truncation is disabled`)
}

/** `context_management`: what OpenAI would compact from so many tokens on is kept below as many by the policy. */
function budgetOf({ context_management }: ResponseBody, { facts }: Model): number | undefined {
  const threshold = context_management?.find(({ type }) => type === 'compaction')?.compact_threshold
  return threshold ? Math.min(threshold, facts.window) : undefined
}

async function placeOf(
  context: Requested,
  body: ResponseBody,
): Promise<{ readonly place: TalkPlace; readonly before: Before | null; readonly own: boolean }> {
  const { frame, workspace, key } = context
  const { previous_response_id: previous } = body
  const named = typeof body.conversation === 'string' ? body.conversation : body.conversation?.id
  if (named !== undefined && previous) throw refuse('previous_response_id', 'cannot be used with conversation')
  const nowhere = (before: Before | null): TalkPlace =>
    before ? { kind: 'nowhere', after: { conversation: before.conversation, entry: before.head } } : { kind: 'nowhere' }
  const kept = body.store ?? true
  if (previous) {
    const { run, own } = await findResponse(context, previous, 'previous_response_not_found')
    if (!isOver(run)) throw new Problem('busy', { detail: 'the previous response is still being made' })
    const { conversation, branch } = run
    const before = { conversation, head: run.entry ?? run.asked }
    const place: TalkPlace = kept ? { kind: 'after', conversation, branch, entry: before.head } : nowhere(before)
    return { place, before, own }
  }
  if (named !== undefined) {
    await conversationAt(context, named)
    const before = { conversation: named, head: await branchHead(context, named, 'main') }
    return { place: kept ? { kind: 'head', conversation: named } : nowhere(before), before, own: false }
  }
  const id = key === undefined ? frame.env.id().replaceAll('-', '') : keyed(workspace, key)
  return { place: kept ? { kind: 'head', conversation: `conv_${id}` } : nowhere(null), before: null, own: true }
}

/** The same key begins the same conversation, so that a repeated request finds its answer. */
const keyed = (workspace: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([workspace, key]))
    .digest('hex')
    .slice(0, 32)

async function modelOf({ frame, workspace }: Requested, conversation: string): Promise<string | undefined> {
  const { model } = (await frame.store.get(workspace, conversation))?.meta ?? {}
  return typeof model === 'string' ? model : undefined
}
