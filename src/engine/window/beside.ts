/** Entries of a path that a window needs besides the stretch that was read. */
import { lru } from '../../core/message/lru.js'
import type { Stretch } from '../../store/contract/append.js'
import type { Entry } from '../../store/contract/entry.js'
import { callsOf } from '../../store/shared/link.js'
import type { Source } from './window.js'

/** Those of the wanted that stand on the path before the stretch, each with the results of its calls. */
export async function beside(source: Source, stretch: Stretch, wanted: readonly string[]): Promise<readonly Entry[]> {
  const first = stretch.entries[0]
  if (!first || first.depth === 0 || wanted.length === 0) return []
  const read = new Set(stretch.entries.map(({ id }) => id))
  const { store, workspace, conversation } = source
  const asked = wanted.filter((id) => !read.has(id) && !isElsewhere(source, stretch, id))
  const found = await Promise.all(asked.map((id) => store.entry(workspace, conversation, id)))
  const older = found.filter((one): one is Entry => one !== null && one.depth < first.depth && one.seq < first.seq)
  if (older.length === 0) return []
  // as many entries as the path has places: nothing was ever branched off before
  const isAlone = first.seq === first.depth + 1
  return isAlone ? withResults(source, older, first) : onPath(source, older, first)
}

async function withResults({ store, workspace, conversation }: Source, entries: readonly Entry[], first: Entry) {
  const followed = await Promise.all(
    entries.map(async (entry) => {
      const calls = callsOf(entry.body).length
      if (calls === 0) return [entry]
      const next = await store.feed(workspace, conversation, entry.seq, calls + 1)
      return [entry, ...next.filter(({ seq }) => seq < first.seq)]
    }),
  )
  return followed.flat()
}

/** Reads the path back as far as it has to; what turns out to be of another branch is remembered. */
async function onPath(source: Source, entries: readonly Entry[], first: Entry): Promise<readonly Entry[]> {
  const { store, workspace, conversation } = source
  const lowest = Math.min(...entries.map(({ depth }) => depth))
  const path = await store.path(workspace, conversation, first.parent as string, first.depth - lowest)
  const ids = new Set(path.map(({ id }) => id))
  for (const { id } of entries) if (!ids.has(id)) strangers(source).set(id, first.id)
  return path
}

/** Entries of other branches, with an entry that they are not before: that never changes. */
const known = new WeakMap<object, ReturnType<typeof lru<string>>>()

function strangers(source: Source): ReturnType<typeof lru<string>> {
  const found = known.get(source) ?? lru<string>(100)
  known.set(source, found)
  return found
}

function isElsewhere(source: Source, { entries }: Stretch, id: string): boolean {
  const than = known.get(source)?.get(id)
  return than !== undefined && entries.some((entry) => entry.id === than)
}
