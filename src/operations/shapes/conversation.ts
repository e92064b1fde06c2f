import { z } from 'zod'
import { recallFromOf } from '../../engine/remembering.js'
import type { Conversation } from '../../store/contract/conversation.js'
import { id, instant, meta, recallSchema } from './common.js'

const title = z.string().max(500)
const folder = z.string().min(1).max(200)
const tags = z.array(z.string().min(1).max(100)).max(50)
const system = z.string().max(100_000)
const policy = z.string().min(1).max(64)
const model = z.string().min(1).max(200)

/** Facts that the service itself understands; they stand in `meta` in the store, and beside it here. */
const settings = ['system', 'policy', 'model', 'recall'] as const

const ownMeta = meta.refine((value) => settings.every((name) => !Object.hasOwn(value, name)), {
  message: 'system, policy, model and recall are fields of their own',
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
  meta: ownMeta.optional().describe('Replaces all of it'),
})

export function conversationOf(stored: Conversation): z.output<typeof conversationSchema> {
  const { system, policy, model, recall, ...rest } = stored.meta
  return {
    id: stored.id,
    title: stored.title,
    folder: stored.folder,
    tags: [...stored.tags],
    pinned: stored.pinned,
    archived: stored.archived,
    system: textOf(system),
    policy: textOf(policy),
    model: textOf(model),
    recall: recallFromOf(recall) ?? null,
    meta: rest,
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
    entries: stored.entries,
    bytes: stored.bytes,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

type Settings = Pick<z.output<typeof conversationPatch>, 'system' | 'policy' | 'model' | 'recall' | 'meta'>

/** The store's `meta` after a change; undefined when nothing of it changes. */
export function metaOf(
  given: Settings,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if ([given.meta, ...settings.map((name) => given[name])].every((value) => value === undefined)) return undefined
  const kept = settings.map((name) => [name, given[name] === undefined ? before[name] : given[name]] as const)
  const { system: _, policy: __, model: ___, recall: ____, ...own } = before
  return {
    ...(given.meta ?? own),
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined && value !== null)),
  }
}
