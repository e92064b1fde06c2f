/** The window of a receipt, made again from the log: the hash of the request tells whether it is the same. */
import { z } from 'zod'
import { HistoryError } from '../core/message/issue.js'
import { traitsOf } from '../core/profile/profiles.js'
import type { RecallLine, Receipt } from '../core/receipt/receipt.js'
import { namedCounter } from '../core/tokens/exact.js'
import { type Assembled, assemble } from '../core/window/assemble.js'
import { counterFor, type Options, resolvePolicy } from '../core/window/plan.js'
import { nameOf, type Recalled } from '../core/window/recall.js'
import { withFiles } from '../engine/window/files.js'
import { partial, summaryIn } from '../engine/window/partial.js'
import type { Heeded } from '../engine/window/window.js'
import { ModelError } from '../models/wire/contract.js'
import { openMemories } from '../recall/memories.js'
import { type KeptReceipt, requestOf, rowOf } from '../runs/ask.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import type { OperationContext } from './context.js'
import { receiptSchema } from './shapes/receipt.js'

export const replaySchema = z
  .object({
    same: z.boolean(),
    before: z.object({ hash: z.string(), length: z.int() }),
    after: z.object({ hash: z.string(), length: z.int() }),
    receipt: receiptSchema,
    request: z.unknown().describe('The window as it goes out: JSON in the form of the target, or text'),
    body: z.string().nullable().describe('What the provider got, to the byte; null where nothing is sent'),
  })
  .meta({ id: 'Replay', description: 'A window made again' })

type In = Pick<OperationContext, 'store' | 'models' | 'workspace'>

export async function replay(context: In, conversation: string, receipt: Receipt, kept: KeptReceipt) {
  const { store, models, workspace } = context
  const path = kept.head === null ? [] : await store.path(workspace, conversation, kept.head)
  const made = await again(context, receipt, kept, path)
  if (!made.ok) {
    const message = `the window cannot be made again: ${made.error.message}`
    throw new HistoryError('invalid', [{ code: 'invalid', message }])
  }
  const same = made.receipt.wire.hash === receipt.wire.hash
  const model = await models.find(kept.model).catch(() => null)
  const how = { ...kept.asked, system: kept.system ?? undefined, ...(kept.tools && { tools: kept.tools }) }
  const asked = requestOf(made, conversation, how, new AbortController().signal)
  const body = (await model?.write?.(asked)) ?? null
  return { same, before: receipt.wire, after: made.receipt.wire, receipt: made.receipt, request: made.rendered, body }
}

/** `extra`: what is asked of the window beyond its settings. */
export async function again(
  { store, models, workspace }: In,
  receipt: Receipt,
  kept: KeptReceipt,
  stored: readonly Entry[],
  extra: Pick<Options, 'risks' | 'target'> = {},
): Promise<Assembled> {
  const { share, model, budget, system, tools } = kept
  const facts = await models.find(model).catch((error: unknown) => {
    // a model that is gone is known by the catalog, or assumed
    if (ModelError.is(error)) return null
    throw error
  })
  const rows = facts ? { models: [rowOf(facts)] } : null
  const server = { ...(facts?.profile && { profile: facts.profile }), ...(facts?.issuer && { issuer: facts.issuer }) }
  const { images } = traitsOf(receipt.target, { model, ...server })
  const path = await withFiles(stored, { store, workspace }, images)
  const fit = share === null ? kept.overrides?.fit : { ...kept.overrides?.fit, messages: Math.max(1, share) }
  const overrides = { ...kept.overrides, ...(fit === undefined ? null : { fit }) }
  const resolved = resolvePolicy(kept.policy, { overrides })
  if (!resolved.ok) return { ok: false, error: resolved.issue, warnings: [] }
  const current = path.find(({ id }) => id === kept.current)
  const stretch = { head: path.at(-1) ?? null, entries: path, opener: null, summary: null }
  const { messages } = partial(stretch, [], resolved.policy, undefined, current?.id)
  const input = {
    messages: share === 0 ? [] : messages,
    ...(current === undefined ? null : { current: asked(current) }),
    ...(system === null ? null : { system }),
    ...(tools ? { tools } : null),
    ...(await heededIn({ store, workspace }, receipt, kept, path)),
  }
  // as it was counted then, unless another model or policy counts in its own way
  const before = extra.target === undefined ? await namedCounter(receipt.counter.name) : undefined
  const counted = before && resolved.policy.counter === 'auto' ? { counter: before } : null
  return assemble(input, resolved.policy, {
    model,
    ...(counted ?? (await counterFor(resolved.policy, { model, ...rows }))),
    target: receipt.target,
    ...extra,
    ...rows,
    ...server,
    ...(budget === null ? null : { budget }),
  })
}

/** Marks as they were; the words of a summary and of what was recalled are read from the log again. */
async function heededIn(
  place: { readonly store: Store; readonly workspace: string },
  { recall }: Receipt,
  { heeded }: KeptReceipt,
  path: readonly Entry[],
): Promise<Heeded> {
  const byId = new Map(path.map((entry) => [entry.id, entry]))
  const summary = byId.get(heeded?.summary ?? '')
  const quoted = new Map(recall?.items.map((item) => [nameOf(item), item]))
  const order = heeded?.offered ?? [...quoted.keys()]
  const items = await Promise.all(
    order.map(async (name) => {
      const item = quoted.get(name ?? '')
      if (!item) return nobody
      return item.kind === 'memory' || item.conversation !== undefined
        ? beyond(place, item)
        : recalledIn(byId.get(item.id), item)
    }),
  )
  const share = recall?.why ?? (typeof heeded?.recall === 'string' ? heeded.recall : undefined)
  const found = items.filter((item) => item !== null)
  return {
    ...(heeded?.marks ? { marks: heeded.marks } : null),
    ...(summary?.body.kind === 'summary' && !summary.redacted
      ? { summary: summaryIn(summary, summary.body.until) }
      : null),
    ...(heeded?.recall ? { recall: { items: found, ...(share && { share }) } } : null),
  }
}

/** Holds a place and is not quoted. */
const nobody: Recalled = { id: '', role: 'user', text: '', score: 0, reason: '' }

function recalledIn(entry: Entry | null | undefined, { score, reason }: RecallLine): Recalled | null {
  if (!entry || entry.redacted) return null
  const { id, body, text, at, depth: place } = entry
  return { id, role: body.kind === 'message' ? body.role : 'tool', text, at, place, score, reason }
}

/** A memory as it is now, or a message of another conversation; null when it is gone. */
async function beyond(
  { store, workspace }: { readonly store: Store; readonly workspace: string },
  line: RecallLine,
): Promise<Recalled | null> {
  const { id, from, conversation, score, reason } = line
  const where = { ...(from !== undefined && { from }), ...(conversation !== undefined && { conversation }) }
  if (line.kind === 'memory') {
    const memory = await openMemories({ store, workspace }).get(id)
    return memory && { id, role: 'memory', text: memory.text, at: memory.updatedAt, ...where, score, reason }
  }
  const said = recalledIn(await store.entry(workspace, conversation ?? '', id), line)
  return said && { ...said, ...where }
}

/** As a run hands it to the window. */
function asked({ id, body, at, author }: Entry): object {
  const parts = body.kind === 'message' ? body.parts : []
  return { id, role: 'user', parts, timestamp: at, ...(author === undefined ? null : { name: author }) }
}
