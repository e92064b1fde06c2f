/** The conversations that windows were made of lately: the next window finds what the last one worked out. */
import { lru } from '../core/message/lru.js'
import type { Store } from '../store/contract/store.js'
import type { Source } from './window/window.js'

export type Sources = (workspace: string, conversation: string) => Source

/** So many are kept. */
export function rememberSources(store: Store, most = 256): Sources {
  const known = lru<Source>(most)
  return (workspace, conversation) => {
    const name = `${workspace}\0${conversation}`
    const source = known.get(name) ?? { store, workspace, conversation }
    known.set(name, source)
    return source
  }
}
