/** What a workspace used: the figures that runs leave behind, added up by day and by conversation. */

import { z } from 'zod'
import type { StoredRecord } from '../store/contract/record.js'
import type { Store } from '../store/contract/store.js'
import { id } from './shapes/common.js'

export const count = z.int().min(0)

const figures = {
  runs: count,
  done: count,
  // failed, or lost with the server that ran them
  failures: count,
  stopped: count,
  messages: count,
  tokens_sent: count.describe('As we counted them'),
  tokens_saved: count.describe('Of the history, that the window did not need'),
  messages_dropped: count,
  fates: z.record(z.string(), count).describe('Messages by what became of them, counted anew in each window'),
  tokens_input: count.describe('As the providers counted them'),
  tokens_output: count,
  cost: z.number().describe('In US dollars, where prices are known'),
  prefix_reuse: z.number().nullable().describe('Share of what was sent that began like the request before'),
}

/** What of a usage is added up from figures. */
export const usageFigures = {
  totals: z.object(figures),
  days: z.array(z.object({ day: z.iso.date(), ...figures })),
  conversations: z
    .array(z.object({ conversation_id: id, title: z.string().nullable(), ...figures }))
    .describe('Those that sent most; the title is null where it was deleted since'),
  rules: z
    .array(z.object({ fate: z.string(), rule: z.string(), messages: count }))
    .describe('Why messages were not sent whole, the most frequent reason first'),
}

type Figures = z.output<typeof usageFigures.totals>
type UsageTable = { readonly [K in keyof typeof usageFigures]: z.output<(typeof usageFigures)[K]> }

export interface UsageSpan {
  /** Days, inclusive, as `2026-08-31`. */
  readonly from: string
  readonly to: string
  readonly conversation?: string
}

type Numbers = Readonly<Partial<Record<string, number>>>

const mostConversations = 100

export const dayMs = 86_400_000
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

export async function usageIn(store: Store, workspace: string, span: UsageSpan): Promise<UsageTable> {
  const days = new Map<string, Numbers>()
  const conversations = new Map<string, Numbers>()
  let totals: Numbers = {}
  for await (const { id, body } of dailies(store, workspace, span)) {
    const cut = id.lastIndexOf(':')
    const conversation = id.slice(0, cut)
    const day = id.slice(cut + 1)
    if (day < span.from || day > span.to) continue
    const numbers = body as Numbers
    totals = sum(totals, numbers)
    days.set(day, sum(days.get(day), numbers))
    conversations.set(conversation, sum(conversations.get(conversation), numbers))
  }
  return {
    totals: figuresOf(totals),
    days: [...days]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, numbers]) => ({ day, ...figuresOf(numbers) })),
    conversations: await Promise.all(
      [...conversations]
        .sort(([, one], [, other]) => (other.sent ?? 0) - (one.sent ?? 0))
        .slice(0, mostConversations)
        .map(async ([conversation, numbers]) => ({
          conversation_id: conversation,
          title: (await store.get(workspace, conversation))?.title ?? null,
          ...figuresOf(numbers),
        })),
    ),
    rules: rulesOf(totals),
  }
}

const rulesOf = (totals: Numbers): UsageTable['rules'] =>
  Object.entries(totals)
    .flatMap(([name, messages = 0]) => {
      const [, fate, rule] = /^rule:([^:]+):(.+)$/.exec(name) ?? []
      return fate !== undefined && rule !== undefined ? [{ fate, rule, messages }] : []
    })
    .sort((one, other) => other.messages - one.messages)

const fatesIn = (numbers: Numbers): Figures['fates'] =>
  Object.fromEntries(
    Object.entries(numbers).flatMap(([name, count]) => (name.startsWith('fate:') ? [[name.slice(5), count ?? 0]] : [])),
  )

/** Figures are the workspace's own and outlive the conversation; one conversation's are found by their names. */
async function* dailies(store: Store, workspace: string, span: UsageSpan): AsyncGenerator<StoredRecord> {
  if (span.conversation === undefined) return yield* recent(store, workspace, 'usage', span)
  for (let at = Date.parse(span.from); at <= Date.parse(span.to); at += dayMs) {
    const found = await store.getRecord(workspace, 'usage', `${span.conversation}:${dayOf(at)}`)
    if (found) yield found
  }
}

/** The records of a kind, newest first, as far back as the span; a day more, because clocks differ. */
export async function* recent(
  store: Store,
  workspace: string,
  kind: string,
  { from, conversation }: UsageSpan,
): AsyncGenerator<StoredRecord> {
  const start = Date.parse(from) - dayMs
  const of = conversation === undefined ? null : { conversation }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.records(workspace, { kind, limit: 100, ...of, ...(cursor && { cursor }) })
    yield* page.items
    const last = page.items.at(-1)
    cursor = last && Date.parse(last.createdAt) >= start ? page.cursor : null
  }
}

function sum(one: Numbers = {}, other: Numbers): Numbers {
  const out: Record<string, number> = { ...one } as Record<string, number>
  for (const [name, value] of Object.entries(other)) out[name] = (out[name] ?? 0) + (value ?? 0)
  return out
}

const figuresOf = (numbers: Numbers): Figures => {
  const of = (name: string): number => numbers[name] ?? 0
  return {
    runs: of('runs'),
    done: of('done'),
    failures: of('failed') + of('interrupted'),
    stopped: of('stopped'),
    messages: of('messages'),
    tokens_sent: of('sent'),
    tokens_saved: of('saved'),
    messages_dropped: of('dropped'),
    fates: fatesIn(numbers),
    tokens_input: of('input'),
    tokens_output: of('output'),
    cost: Math.round(of('cost') * 1e6) / 1e6,
    prefix_reuse: of('reusable') > 0 ? Math.round((of('reused') / of('reusable')) * 1_000) / 1_000 : null,
  }
}
