/** Puts a conversation into the store: what is not there yet, all of it or nothing. */
import { entriesIn } from '../../engine/export.js'
import type { Env } from '../../engine/window/entries.js'
import { writingOf } from '../../engine/writing.js'
import type { Step } from '../../store/contract/commit.js'
import type { Conversation, NewConversation } from '../../store/contract/conversation.js'
import type { NewBlob } from '../../store/contract/keeping.js'
import type { Store } from '../../store/contract/store.js'
import { bounds } from '../../store/shared/gate.js'
import { digest } from '../../store/shared/runtime.js'
import type { Imported } from '../kit/contract.js'
import { titleFrom } from '../kit/shape.js'
import { branchesOf, type Linked } from './branches.js'
import { type Planted, type Planting, plant } from './plant.js'

export interface WriteTarget {
  readonly store: Store
  readonly workspace: string
  readonly env: Env
}

/** What became, or would become, of one conversation. */
export interface Written {
  readonly id: string
  readonly title: string
  readonly status: 'added' | 'extended' | 'unchanged'
  /** Entries that it has in the source, and those that were not here. */
  readonly messages: number
  readonly added: number
  /** Ends of paths, `main` among them. */
  readonly branches: number
  readonly files: number
  readonly empty: number
  readonly warnings: readonly string[]
}

/** What is remembered of an import, beside the conversation. */
interface Trace {
  readonly digest: string
  readonly title: string
  readonly counts: Pick<Written, 'messages' | 'branches' | 'files'>
}

const traceKind = 'import'

export async function writeTree(target: WriteTarget, tree: Imported, dryRun: boolean): Promise<Written> {
  const { store, workspace, env } = target
  const id = conversationId(tree)
  const mark = digest(JSON.stringify([tree, [...(tree.assets ?? [])].map(([name, { size }]) => [name, size])]))
  const trace = (await store.getRecord(workspace, traceKind, id))?.body as Trace | undefined
  if (trace?.digest === mark)
    return { id, title: trace.title, status: 'unchanged', ...trace.counts, added: 0, empty: 0, warnings: [] }
  const plan = await plant(tree, writingOf(env))
  const there = await store.get(workspace, id)
  const known = there ? await entriesThere(target, id) : []
  const ids = new Set(known.map((entry) => entry.id))
  const fresh = plan.entries.filter(({ entry }) => !ids.has(entry.id))
  const title = titleOf(tree, plan)
  const counts = {
    messages: plan.entries.length,
    branches: branchesOf(plan.entries.map(linked), plan.head, 'main').heads.size,
    files: plan.files,
  }
  const told = { id, title, ...counts, added: fresh.length, empty: plan.empty, warnings: plan.warnings }
  const status = there ? (fresh.length > 0 ? 'extended' : 'unchanged') : 'added'
  // nothing new is nothing to write, not even that it was looked at
  if (dryRun || fresh.length === 0) return { ...told, status }
  const at = tree.updatedAt ?? tree.createdAt ?? env.now()
  const steps = await stepsOf(target, id, { plan, fresh, known, there, at })
  const body: Trace = { digest: mark, title, counts }
  steps.push({ do: 'put-record', record: { kind: traceKind, id, body, at } })
  const blobs = [...plan.blobs.values()].map(({ bytes, mediaType }) => async () => ({
    bytes: await bytes(),
    mediaType,
  }))
  await putWhole(target, there ? id : factsOf(tree, id, title, env.now()), blobs, steps)
  if (!there && (tree.pinned || tree.archived))
    await store.update(workspace, id, { at, pinned: tree.pinned === true, archived: tree.archived === true })
  if (there && trace && trace.title !== title && there.title === trace.title)
    await store.update(workspace, id, { title, at })
  return { ...told, status }
}

/**
 * In one transaction, whatever its length. Files come before the messages that show them, so that a conversation with files is
 * there first without a message.
 */
export async function putWhole(
  { store, workspace }: WriteTarget,
  made: NewConversation | string,
  blobs: readonly (() => Promise<NewBlob>)[],
  steps: readonly Step[],
): Promise<void> {
  const isNew = typeof made !== 'string'
  if (isNew && blobs.length === 0) return void (await store.create(workspace, { ...made, steps }))
  const id = isNew ? made.id : made
  if (isNew) await store.create(workspace, made)
  for (const blob of blobs) await store.putBlob(workspace, id, await blob())
  if (steps.length > 0) await store.commit(workspace, id, steps)
}

/** The source's own id where it can stand in an address. */
export function conversationId({ format, id }: Pick<Imported, 'format' | 'id'>): string {
  return /^[\w.-]{1,120}$/.test(id) ? `${format}-${id}` : `${format}-${digest(id).slice(0, 24)}`
}

const linked = ({ entry, parent }: Planted): Linked => ({ id: entry.id, parent })

/** The entries that an import wrote; what was said here since is someone else's. */
async function entriesThere(target: WriteTarget, conversation: string): Promise<Linked[]> {
  const found: Linked[] = []
  for await (const { id, parent, meta } of entriesIn({ ...target, conversation }))
    if (meta?.source !== undefined) found.push({ id, parent })
  return found
}

function titleOf(tree: Imported, { entries }: Planting): string {
  const asked = entries.find(({ entry: { body, meta } }) => {
    const source = meta?.source as { readonly injected?: boolean } | undefined
    return body.kind === 'message' && body.role === 'user' && !source?.injected
  })
  const title = tree.title?.replaceAll(/\s+/g, ' ').trim() || titleFrom(asked?.entry.text)
  return (title ?? '').slice(0, 500)
}

function factsOf(tree: Imported, id: string, title: string, now: string): NewConversation {
  const { format, id: source, rest, tags, folder } = tree
  const meta = { source: { format, id: source, ...(Object.keys(rest).length > 0 && { rest }) } }
  const labels = [...new Set([format, ...(tags ?? [])])].map((tag) => tag.slice(0, bounds.name))
  const at = tree.createdAt ?? tree.updatedAt ?? now
  return { id, title, at, meta, tags: labels, ...(folder && { folder: folder.slice(0, bounds.name) }) }
}

interface Growing {
  readonly plan: Planting
  readonly fresh: readonly Planted[]
  readonly known: readonly Linked[]
  /** As it was before. */
  readonly there: Conversation | null
  readonly at: string
}

async function stepsOf({ store, workspace }: WriteTarget, id: string, growing: Growing): Promise<Step[]> {
  const { plan, fresh, known, there, at } = growing
  const before = new Map((there ? await store.branches(workspace, id) : []).map(({ name, head }) => [name, head]))
  // where someone went on here, their branch stays theirs
  const main = before.get('main')
  const isOurs = !main || known.some((entry) => entry.id === main)
  const { heads, owner } = branchesOf([...known, ...fresh.map(linked)], plan.head, isOurs ? 'main' : 'imported')
  return [...appends(fresh, owner, at), ...moves(heads, before, fresh, owner, at)]
}

/** Stretches of entries that follow one another, each on its branch. */
function appends(fresh: readonly Planted[], owner: ReadonlyMap<string, string>, at: string): Step[] {
  const steps: Step[] = []
  let run: Planted[] = []
  const flush = (): void => {
    const first = run[0]
    if (!first) return
    const branch = owner.get(first.entry.id) ?? 'main'
    steps.push({ do: 'append', entries: run.map(({ entry }) => entry), options: { branch, from: first.parent, at } })
    run = []
  }
  for (const planted of fresh) {
    const last = run.at(-1)
    const goesOn = last && planted.parent === last.entry.id && owner.get(planted.entry.id) === owner.get(last.entry.id)
    if (!goesOn || run.length >= 500) flush()
    run.push(planted)
  }
  flush()
  return steps
}

/** Branches that end elsewhere than the appends leave them. */
function moves(
  heads: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string | null>,
  fresh: readonly Planted[],
  owner: ReadonlyMap<string, string>,
  at: string,
): Step[] {
  const left = new Map(before)
  for (const { entry } of fresh) left.set(owner.get(entry.id) ?? 'main', entry.id)
  return [...heads].flatMap(([name, head]): Step[] => {
    const expect = left.get(name) ?? null
    return expect === head ? [] : [{ do: 'set-branch', move: { name, head, expect, at } }]
  })
}
