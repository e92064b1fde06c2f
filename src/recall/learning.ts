/** Takes in what comes in bulk soon after it was kept, off the request: the first window reads that instead of every message. */
import { lru } from '../core/message/lru.js'
import { withHooks } from '../store/around/hooks.js'
import type { Store } from '../store/contract/store.js'
import { createTurns } from '../store/shared/turn.js'
import type { Learn } from './recaller.js'
import { usual } from './usual.js'

/** A talk is taken in with its windows; so many new messages without one came from elsewhere. */
const many = 500
const restMs = 1_000

export function learning(store: Store, learn: Learn = (place) => usual().learn(place)): Store {
  const fresh = lru<{ readonly count: number; readonly head: string }>(10_000)
  const inTurn = createTurns()
  const told: Store = withHooks(store, {
    onEntry({ id: head }, place) {
      const name = JSON.stringify(place)
      const count = (fresh.get(name)?.count ?? 0) + 1
      fresh.set(name, { count: count % many, head })
      // one conversation at a time: it is nobody's turn to wait for it
      const work = () => inTurn(told, '', () => learn({ ...place, store: told, head: fresh.get(name)?.head ?? head }))
      if (count === many) setTimeout(() => void work().catch(() => {}), restMs).unref()
    },
  })
  return told
}
