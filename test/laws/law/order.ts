/** What was said stands in its order, once, in the voice that said it. */
import { currentTag, pieces } from '../trial.js'
import { isQuoted, type Law, placesOf, tagsIn } from './read.js'

/** P-04 and P-20: what is said on the wire was said in the history, in that order. */
export const inOrder: Law = (trial) => {
  const out: string[] = []
  const places = placesOf(trial.input.messages)
  let last = -1
  for (const piece of pieces(trial)) {
    if (isQuoted(trial, piece.text)) continue
    for (const { text, kind } of tagsIn(piece.text)) {
      if (text === currentTag) continue
      const known = places.get(text)
      if (!known) out.push(`${text} is from nowhere`)
      if (!known || (kind !== 'u' && kind !== 'a') || piece.kind !== 'text') continue
      const next = known.find((place) => place >= last)
      if (next === undefined) out.push(`${text} comes after a later message`)
      else last = next
    }
  }
  const indices = trial.result.items.flatMap((item) => (item.index === null ? [] : [item.index]))
  if (indices.some((index, i) => i > 0 && index <= (indices[i - 1] as number)))
    out.push(`items in the order ${indices}`)
  return out
}

/** P-17 */
export const noDuplicates: Law = (trial) => {
  const { items } = trial.result
  const out: string[] = []
  const seen = new Map<string, string>()
  for (const item of items) {
    if (item.id === undefined) continue
    const content = JSON.stringify([item.role, item.parts])
    if (seen.get(item.id) === content && !item.clipped) out.push(`${item.id} is there twice`)
    seen.set(item.id, content)
  }
  const indices = items.flatMap((item) => (item.index === null ? [] : [item.index]))
  if (new Set(indices).size !== indices.length) out.push(`indices ${indices}`)
  const said = pieces(trial).flatMap((piece) => tagsIn(piece.text))
  const times = said.filter(({ text }) => text === currentTag).length
  const cut = trial.result.receipt.current?.fate === 'clipped'
  if (!cut && times !== (trial.input.current === undefined ? 0 : 1))
    out.push(`the current message is there ${times} times`)
  const given = placesOf(trial.input.messages)
  const counts = new Map<string, number>()
  for (const { text, kind } of said) if ('uas'.includes(kind)) counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const [text, count] of counts)
    if (text !== currentTag && count > (given.get(text)?.length ?? 0))
      out.push(`${text} was said ${given.get(text)?.length} times, not ${count}`)
  return out
}

const voices: Readonly<Record<string, readonly string[]>> = {
  u: ['user'],
  f: ['user'],
  a: ['assistant'],
  h: ['assistant'],
  c: ['assistant'],
  r: ['tool', 'assistant'],
}

/** P-22 */
export const noPrivilege: Law = (trial) => {
  const out: string[] = []
  const system = ['lead', 'prompt'].includes(trial.policy.intake.system) ? ['system'] : []
  for (const piece of pieces(trial))
    for (const { kind, text } of tagsIn(piece.text)) {
      // a quotation has the lowest voice there is; a text has no voices but its labels
      if (isQuoted(trial, piece.text) && (piece.role === 'user' || piece.mark)) continue
      const allowed = kind === 's' ? system : (voices[kind] ?? [])
      if (!allowed.includes(piece.role)) out.push(`${text} speaks as ${piece.role}`)
    }
  return out
}
