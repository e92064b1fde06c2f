/** Which entries of a conversation still count: those that lead to the head of `main`, or of the branch written to last. */
import { HistoryError } from '../core/message/issue.js'
import { type Lru, lru } from '../core/message/lru.js'
import type { Store } from '../store/contract/store.js'
import { isWithin, type Span, spansOf } from '../store/search/spans.js'
import type { Asked } from './contract.js'

export type Counts = (seq: number) => boolean

type Place = Pick<Asked, 'store' | 'workspace'>

/** Of a head: neither ever changes. */
type Known = { readonly seqs: Lru<number>; readonly ways: Lru<readonly Span[]> }

/** So many heads are known. */
const most = 4_000
/** Entries that are read at first, and then: mostly the head alone tells that all before it is on its way. */
const reaches = [1, 64, 1_024]

export function createWays() {
  const stores = new WeakMap<Store, Known>()
  return async (place: Place, conversation: string): Promise<Counts> => {
    const known = stores.get(place.store) ?? { seqs: lru<number>(most), ways: lru<readonly Span[]>(most) }
    stores.set(place.store, known)
    try {
      const heads = await headsOf(place, conversation, known)
      const ways = await Promise.all(heads.map((head) => wayTo(place, conversation, head, known)))
      return (seq) => ways.some((spans) => isWithin(spans, seq))
    } catch (error) {
      if (HistoryError.is(error) && removed.includes(error.code)) return () => false
      throw error
    }
  }
}

/** It may be deleted meanwhile. */
const removed = ['gone', 'not_found']

async function headsOf({ store, workspace }: Place, conversation: string, { seqs }: Known): Promise<readonly string[]> {
  const branches = await store.branches(workspace, conversation)
  const main = branches.flatMap(({ name, head }) => (name === 'main' && head !== null ? [head] : []))
  const heads = [...new Set(branches.flatMap(({ head }) => head ?? []))]
  if (heads.length < 2) return heads
  const numbers = await Promise.all(
    heads.map(async (head) => {
      const name = JSON.stringify([workspace, conversation, head])
      const seq = seqs.get(name) ?? (await store.entry(workspace, conversation, head))?.seq ?? 0
      seqs.set(name, seq)
      return seq
    }),
  )
  const last = heads[numbers.indexOf(Math.max(...numbers))] as string
  return [...new Set([...main, last])]
}

async function wayTo(place: Place, conversation: string, head: string, { ways }: Known): Promise<readonly Span[]> {
  const name = JSON.stringify([place.workspace, conversation, head])
  const way = ways.get(name) ?? (await walk(place, conversation, head))
  ways.set(name, way)
  return way
}

async function walk({ store, workspace }: Place, conversation: string, head: string): Promise<readonly Span[]> {
  for (const reach of [...reaches, undefined]) {
    const path = await store.path(workspace, conversation, head, reach)
    const [first] = path
    const spans = spansOf(path.map(({ seq }) => seq).reverse())
    // as many came before it as have lower numbers, so that all of those did
    if (first && first.depth === first.seq - 1) return spans.map(([from, to]) => [from === first.seq ? 1 : from, to])
    if (reach === undefined || path.length < reach) return spans
  }
  return []
}
