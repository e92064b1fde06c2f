import { z } from 'zod'
import { efforts } from '../../models/wire/contract.js'
import { settingsIn } from '../../runs/settings.js'
import type { Conversation } from '../../store/contract/conversation.js'
import { id, instant, meta, recallSchema } from './common.js'

const title = z.string().max(500)
const folder = z.string().min(1).max(200)
const tags = z.array(z.string().min(1).max(100)).max(50)
const system = z.string().max(100_000)
const policy = z.string().min(1).max(64)
const model = z.string().min(1).max(200)
const budget = z.int().min(500).max(10_000_000).describe('Most tokens of a request to the model')
const temperature = z.number().min(0).max(2)
const effort = z.enum(efforts).describe('How hard the model thinks, where it can be told')
const tools = z.boolean().describe('Whether the tools of the server may be called; null: as the server says')

/** Facts that the service itself understands; they stand in `meta` in the store, and beside it here. */
const settings = ['system', 'policy', 'model', 'recall', 'budget', 'temperature', 'effort', 'tools'] as const

const ownMeta = meta.refine((value) => settings.every((name) => !Object.hasOwn(value, name)), {
  message: `${settings.join(', ')} are fields of their own`,
})

export const conversationSchema = z
  .object({
    id,
    title,
    folder: z.string().nullable(),
    tags: z.array(z.string()),
    pinned: z.boolean(),
    archived: z.boolean(),
    system: z.string().nullable(),
    policy: z.string().nullable(),
    model: z.string().nullable(),
    recall: recallSchema.nullable().describe('How far its windows look beyond it; null: as the policy says'),
    budget: budget.nullable(),
    temperature: temperature.nullable(),
    effort: effort.nullable(),
    tools: tools.nullable(),
    meta,
    created_at: instant,
    updated_at: instant,
    entries: z.int().describe('Entries written so far'),
    bytes: z.int(),
  })
  .meta({ id: 'Conversation', description: 'A tree of messages' })

export const newConversation = z.strictObject({
  id: id.optional().describe('Chosen by the caller, or given'),
  title: title.optional(),
  folder: folder.optional(),
  tags: tags.optional(),
  system: system.optional(),
  policy: policy.optional(),
  model: model.optional(),
  recall: recallSchema.optional(),
  budget: budget.optional(),
  temperature: temperature.optional(),
  effort: effort.optional(),
  tools: tools.optional(),
  meta: ownMeta.optional(),
})

export const conversationPatch = z.strictObject({
  title: title.optional(),
  folder: folder.nullable().optional(),
  tags: tags.optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  system: system.nullable().optional(),
  policy: policy.nullable().optional(),
  model: model.nullable().optional(),
  recall: recallSchema.nullable().optional(),
  budget: budget.nullable().optional(),
  temperature: temperature.nullable().optional(),
  effort: effort.nullable().optional(),
  tools: tools.nullable().optional(),
  meta: ownMeta.optional().describe('Replaces all of it'),
})

export function conversationOf(stored: Conversation): z.output<typeof conversationSchema> {
  const held = settingsIn(stored)
  const rest = without(stored.meta)
  return {
    id: stored.id,
    title: stored.title,
    folder: stored.folder,
    tags: [...stored.tags],
    pinned: stored.pinned,
    archived: stored.archived,
    system: held.system ?? null,
    policy: typeof held.policy === 'string' ? held.policy : null,
    model: held.model ?? null,
    recall: held.recall ?? null,
    budget: held.budget ?? null,
    temperature: held.temperature ?? null,
    effort: held.effort ?? null,
    tools: held.agent ?? null,
    meta: rest,
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
    entries: stored.entries,
    bytes: stored.bytes,
  }
}

/** What is the caller's own. */
const without = (meta: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => !settings.some((one) => one === name)))

type Settings = Pick<z.output<typeof conversationPatch>, (typeof settings)[number] | 'meta'>

/** The store's `meta` after a change; undefined when nothing of it changes. */
export function metaOf(
  given: Settings,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if ([given.meta, ...settings.map((name) => given[name])].every((value) => value === undefined)) return undefined
  const kept = settings.map((name) => [name, given[name] === undefined ? before[name] : given[name]] as const)
  return {
    ...(given.meta ?? without(before)),
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined && value !== null)),
  }
}
