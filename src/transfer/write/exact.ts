/** Puts a conversation of our own back: the same ids, the same order, the same hashes. */
import { entriesIn } from '../../engine/export.js'
import type { Step } from '../../store/contract/commit.js'
import type { Entry } from '../../store/contract/entry.js'
import { contentHash } from '../../store/shared/gate.js'
import { unlinked } from '../../store/shared/link.js'
import { refusal } from '../../store/shared/refuse.js'
import { mapSlowly } from '../../store/shared/turn.js'
import type { Exact } from '../kit/contract.js'
import { putWhole, type WriteTarget, type Written } from './write.js'

export async function writeExact(target: WriteTarget, { exported }: Exact, dryRun: boolean): Promise<Written> {
  const { store, workspace } = target
  const { conversation, entries, branches, receipts } = exported
  const { id, title } = conversation
  const there = await store.get(workspace, id)
  const known = new Map<string, string>()
  if (there)
    for await (const entry of entriesIn({ ...target, conversation: id }))
      known.set(entry.id, entry.redacted ? contentHash(unlinked(entry)) : entry.contentHash)
  const warnings: string[] = []
  const fresh: Entry[] = []
  await mapSlowly(
    [...entries].sort((one, other) => one.seq - other.seq),
    (entry) => {
      const hash = contentHash(unlinked(entry))
      const before = known.get(entry.id)
      if (before === undefined) fresh.push(entry)
      else if (before !== hash)
        throw refusal('id_conflict', 'the conversation is here with other content', { field: 'entry', value: entry.id })
      if (entry.redacted) warnings.push('a message whose words were removed gets a new hash')
      else if (entry.contentHash !== hash) warnings.push('a message was changed since it was exported')
    },
  )
  if (exported.drafts?.length) warnings.push('an unfinished answer was left out')
  const newReceipts: (typeof receipts)[number][] = []
  for (const receipt of receipts) if (!(await store.getReceipt(workspace, receipt.id))) newReceipts.push(receipt)
  const counts = {
    messages: entries.length,
    added: fresh.length,
    branches: branches.length,
    files: exported.blobs.length,
  }
  const status = there ? (fresh.length > 0 ? 'extended' : 'unchanged') : 'added'
  const told: Written = { id, title, status, ...counts, empty: 0, warnings }
  if (dryRun || (there && fresh.length + newReceipts.length === 0)) return told
  await put(target, exported, fresh, newReceipts, there !== null)
  return told
}

async function put(
  target: WriteTarget,
  { conversation, branches, blobs }: Exact['exported'],
  fresh: readonly Entry[],
  receipts: Exact['exported']['receipts'],
  isThere: boolean,
): Promise<void> {
  const { store, workspace } = target
  const { id, title, folder, tags, meta, createdAt, updatedAt, pinned, archived } = conversation
  const heads = new Map((isThere ? await store.branches(workspace, id) : []).map(({ name, head }) => [name, head]))
  const via = branches.find(({ name }) => name === 'main')?.name ?? branches[0]?.name ?? 'main'
  const steps: Step[] = runs(fresh).map((run) => {
    heads.set(via, (run.at(-1) as Entry).id)
    const options = { branch: via, from: (run[0] as Entry).parent, at: updatedAt }
    return { do: 'append', entries: run.map(unlinked), options }
  })
  for (const { name, head, updatedAt: at } of branches)
    steps.push({ do: 'set-branch', move: { name, head, expect: heads.get(name) ?? null, at } })
  for (const receipt of receipts) steps.push({ do: 'put-receipt', receipt: { ...receipt, conversation: id } })
  const facts = { id, title, tags, meta, at: createdAt, ...(folder !== null && { folder }) }
  const files = blobs.map(({ base64, mediaType }) => async () => ({ bytes: Buffer.from(base64, 'base64'), mediaType }))
  await putWhole(target, isThere ? id : facts, files, steps)
  const now = await store.get(workspace, id)
  if (isThere || !now) return
  if (now.updatedAt !== updatedAt || pinned || archived)
    await store.update(workspace, id, { pinned, archived, at: updatedAt })
}

/** Entries in the order of `seq`, cut where one does not follow the one before. */
function runs(entries: readonly Entry[]): Entry[][] {
  const out: Entry[][] = []
  for (const entry of entries) {
    const run = out.at(-1)
    if (run && run.length < 500 && run.at(-1)?.id === entry.parent) run.push(entry)
    else out.push([entry])
  }
  return out
}
