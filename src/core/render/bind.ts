/** Thinking of models that bind it to its prefix: replayed behind that prefix, and nowhere else. */
import type { Item, ThinkPart } from '../message/item.js'
import type { Window } from '../message/window.js'
import { claudeOf } from '../profile/claude.js'
import { headHash, nextHash } from '../profile/prefix.js'
import type { Mended } from '../window/mend/mend.js'
import { writeAnthropic } from './anthropic.js'

export function bind(mended: Mended, window: Window): Mended {
  if (claudeOf(window.model)?.thinks !== 'bound') return mended
  const thoughts = mended.items.flatMap(({ parts }) => parts.filter((part) => part.type === 'think'))
  if (thoughts.length === 0) return mended
  // without a hash it must be taken on trust that a history nobody touched is the one it was written after
  const trusted = window.whole === true && mended.notes.length === 0
  const dead = deadThoughts(mended, window, thoughts, trusted)
  if (dead.size === 0) return mended
  const items = mended.items.map((item) => without(item, dead))
  const notes = mended.items.flatMap((item, i) =>
    items[i] === item ? [] : [{ item: i, rule: 'think_dropped', effect: 'dropped' } as const],
  )
  return { ...mended, items, notes: [...mended.notes, ...notes] }
}

/** One walk over the request: a dropped block changes what stands before the next. */
function deadThoughts(mended: Mended, window: Window, thoughts: readonly ThinkPart[], trusts: boolean): Set<ThinkPart> {
  const request = writeAnthropic(mended, window)
  const dead = new Set<ThinkPart>()
  let hash = headHash(request)
  let at = 0
  for (const { role, content } of request.messages) {
    const here = thoughts.slice(at, at + content.filter(isThinking).length)
    at += here.length
    const alive = here.every(({ prefix }) => (prefix === undefined ? trusts && dead.size === 0 : prefix === hash))
    if (!alive) for (const part of here) dead.add(part)
    hash = nextHash(hash, alive ? { role, content } : { role, content: content.filter((block) => !isThinking(block)) })
  }
  return dead
}

const isThinking = ({ type }: { readonly type: string }): boolean => type === 'thinking' || type === 'redacted_thinking'

function without(item: Item, dead: ReadonlySet<unknown>): Item {
  return item.parts.some((part) => dead.has(part))
    ? { ...item, parts: item.parts.filter((part) => !dead.has(part)) }
    : item
}
