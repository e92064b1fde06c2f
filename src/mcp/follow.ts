/** Tells when what a resource shows has changed, whoever changed it and in whatever process. */
import type { McpContext } from './kit/context.js'
import { placeOfUri, type UriPlace } from './kit/uris.js'

/** How often tasks are looked at: they tell no one of their changes. */
const everyMs = 1_000

/** Returns what ends it. */
function follow(uri: string, context: McpContext, tell: (uri: string) => void): () => void {
  const place = placeOfUri(uri)
  if (!place) return () => undefined
  let known: string | null | undefined
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    const now = await markOf(place, context).catch(() => known)
    looking = false
    if (known !== undefined && now !== known) tell(uri)
    known = now
  }
  void look()
  const timer = setInterval(look, everyMs)
  timer.unref()
  const unwatch =
    place.kind === 'conversation' ? context.store.watch(context.workspace, place.id, look) : () => undefined
  return () => {
    clearInterval(timer)
    unwatch()
  }
}

/** Changes with what the resource shows; null while there is no such thing. */
async function markOf(place: UriPlace, { tasks, store, workspace }: McpContext): Promise<string | null> {
  if (place.kind === 'tasks')
    return (await tasks.list({ limit: 100 })).items.map(({ id, updatedAt }) => id + updatedAt).join()
  if (place.kind === 'receipt') return (await store.getReceipt(workspace, place.id)) ? 'kept' : null
  if (place.kind === 'conversation') {
    const found = await store.get(workspace, place.id)
    return found && `${found.updatedAt} ${found.entries} ${found.title}`
  }
  const [task, newest] = await Promise.all([tasks.get(place.id), tasks.timeline(place.id, { limit: 1 })])
  return task && `${task.updatedAt} ${newest.items[0]?.number}`
}

interface Followers {
  add(uri: string): void
  remove(uri: string): void
  close(): void
}

/** So many at once; who wants more loses the oldest. */
const most = 64

export function followers(context: McpContext, tell: (uri: string) => void): Followers {
  const ends = new Map<string, () => void>()
  const remove = (uri: string): void => {
    ends.get(uri)?.()
    ends.delete(uri)
  }
  return {
    remove,
    add(uri) {
      if (ends.has(uri)) return
      const [oldest] = ends.keys()
      if (ends.size >= most && oldest !== undefined) remove(oldest)
      ends.set(uri, follow(uri, context, tell))
    },
    close() {
      for (const uri of [...ends.keys()]) remove(uri)
    },
  }
}
