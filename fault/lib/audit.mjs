// What happened, held against what is stored. Times are of the machine's one monotonic clock, so that processes compare.
import { textOf } from './dice.mjs'

/**
 * `acks` are promises kept to a caller: { id, seq, start, end }. `tried` maps every id ever sent to the time it was first
 * sent. `refused` are ids that were told no. `reads` saw { after, ids, whole, start, end }: the log behind `after`,
 * up to its end when `whole`. `log` is what is stored in the end.
 */
export function audit({ seed, sizes, acks, tried, refused = [], reads = [] }, log) {
  const places = new Map(log.map(({ id, seq }) => [id, seq]))
  const count = (list, wrong) => list.filter(wrong).length
  const seqs = new Map()
  for (const { id, seq } of acks) seqs.set(seq, (seqs.get(seq) ?? new Set()).add(id))
  return {
    lost: count(acks, ({ id }) => !places.has(id)),
    moved: count(acks, ({ id, seq }) => places.has(id) && places.get(id) !== seq),
    duplicated: log.length - places.size + count([...seqs.values()], (ids) => ids.size > 1),
    half: count(log, ({ id, text }) => text !== textOf(seed, id, sizes)),
    gaps: count(log, ({ seq }, i) => seq !== i + 1),
    strange: count(log, ({ id }) => !tried.has(id)) + count(refused, (id) => places.has(id)),
    disorder: disorder(acks),
    misread: misread(reads, log, acks, tried),
  }
}

export const isClean = (findings) => Object.values(findings).every((value) => value === 0)

/** Appends whose number is below that of one acknowledged before they began. */
function disorder(acks) {
  const byEnd = acks.filter(({ end }) => end !== undefined).sort((a, b) => a.end - b.end)
  const byStart = byEnd.toSorted((a, b) => a.start - b.start)
  let ended = 0
  let highest = 0
  let wrong = 0
  for (const { start, seq } of byStart) {
    while (ended < byEnd.length && byEnd[ended].end < start) highest = Math.max(highest, byEnd[ended++].seq)
    if (seq <= highest) wrong++
  }
  return wrong
}

/** Reads that are no stretch of the log, that miss what was acknowledged before them, or that saw the future. */
function misread(reads, log, acks, tried) {
  const byEnd = acks.filter(({ end }) => end !== undefined).sort((a, b) => a.end - b.end)
  let ended = 0
  let highest = 0
  let wrong = 0
  for (const { after, ids, whole, start, end } of reads.toSorted((a, b) => a.start - b.start)) {
    while (ended < byEnd.length && byEnd[ended].end < start) highest = Math.max(highest, byEnd[ended++].seq)
    const isStretch = ids.every((id, i) => log[after + i]?.id === id)
    const isFresh = !whole || after + ids.length >= highest
    const isPast = ids.every((id) => tried.get(id) < end)
    if (!isStretch || !isFresh || !isPast) wrong++
  }
  return wrong
}
