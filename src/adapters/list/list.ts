/** A list of messages on a history. The list can shrink and change; the log below only grows, and branches lead back. */

import type { History } from '../../engine/history.js'
import type { Env } from '../../engine/window/entries.js'
import { envOf, writingOf } from '../../engine/writing.js'
import type { Step } from '../../store/contract/commit.js'
import type { Entry } from '../../store/contract/entry.js'
import { swap } from '../desk.js'
import type { Dialect } from './dialect.js'
import { isWhole, legal, written } from './write.js'

export interface ListOptions {
  readonly env?: Partial<Env>
}

export interface MessageList<T> {
  /** All of them, or the newest. */
  read(limit?: number): Promise<T[]>
  add(items: readonly T[]): Promise<void>
  /** The list becomes what `make` says, in one commit with the other steps; made again when someone else was faster. */
  rewrite(make: (items: readonly T[]) => readonly T[], also?: readonly Step[]): Promise<void>
}

/** What another writer may have changed since it was looked at. */
const lost = ['head_moved', 'already_answered', 'unknown_call', 'unknown_parent']
/** Entries in one commit. */
const most = 1_000

export function messageList<T>(history: History, dialect: Dialect<T>, options: ListOptions = {}): MessageList<T> {
  const env = envOf(options.env)
  const writing = writingOf(env)
  const entriesOf = (items: readonly T[]) => items.flatMap((item) => written(item, dialect, writing))

  return {
    async read(limit) {
      if (limit !== undefined && limit <= 0) return []
      for (let reach = limit === undefined ? undefined : 2 * limit + 16; ; reach = reach && reach * 4) {
        const path = await history.path(history.branch, reach)
        const items = messageSpans(path, dialect).flat()
        // an entry may have no message at all: then more of them are read
        const isEnough = limit === undefined || items.length >= limit || (path[0]?.parent ?? null) === null
        if (isEnough) return limit === undefined ? items : items.slice(-limit)
      }
    },
    async add(items) {
      const entries = entriesOf(items)
      const { branch } = history
      for (let from = 0; from < entries.length; from += most) {
        const batch = entries.slice(from, from + most)
        await swap(async () => {
          const known = isWhole(batch) ? [] : await history.path()
          const options = { branch, at: env.now() }
          await history.commit([{ do: 'append', entries: legal(batch, known, dialect.name), options }])
        }, lost)
      }
    },
    rewrite: (make, also = []) =>
      swap(async () => {
        const { branch } = history
        const path = await history.path()
        const spans = messageSpans(path, dialect)
        const { kept, rest } = shared(spans, make(spans.flat()))
        const steps = [...stepsTo(path, kept, entriesOf(rest), branch), ...also]
        if (steps.length > 0) await history.commit(steps)
      }, lost),
  }

  /** Back to the last entry that stays, and on from there. */
  function stepsTo(
    path: readonly Entry[],
    kept: number,
    entries: ReturnType<typeof entriesOf>,
    branch: string,
  ): Step[] {
    const [expect, from] = [path.at(-1)?.id ?? null, path[kept - 1]?.id ?? null]
    const at = env.now()
    if (entries.length === 0)
      return expect === from ? [] : [{ do: 'set-branch', move: { name: branch, head: from, expect, at } }]
    const said = legal(entries, path.slice(0, kept), dialect.name)
    return [{ do: 'append', entries: said, options: { branch, from, expect, at } }]
  }
}

// a path as a list of messages of a dialect: each as it came, or made from what another client said

/** The messages of each entry of the path; many have one, some have none. */
function messageSpans<T>(path: readonly Entry[], dialect: Dialect<T>): (readonly T[])[] {
  const names = new Map<string, string>()
  return path.map((entry) => {
    const { body } = entry
    if (body.kind === 'message') for (const part of body.parts) if (part.type === 'call') names.set(part.id, part.name)
    const kept = entry.meta?.[dialect.name]
    if (typeof kept === 'string') return kept === '' ? [] : [JSON.parse(kept) as T]
    return dialect.fromEntry(entry, names)
  })
}

/** How many entries can stay when the list becomes another one, and which messages come after them. */
function shared<T>(spans: readonly (readonly T[])[], next: readonly T[]): { kept: number; rest: readonly T[] } {
  let kept = 0
  let used = 0
  for (const span of spans) {
    if (!span.every((item, i) => isSame(item, next[used + i]))) break
    kept++
    used += span.length
  }
  return { kept, rest: next.slice(used) }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (other !== undefined && JSON.stringify(one) === JSON.stringify(other))
