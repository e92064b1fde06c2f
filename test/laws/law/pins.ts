/** What policies and people decided is kept to. */
import { isBlank } from '../../../src/core/message/text.js'
import { admittedOf, type Good, pieces } from '../trial.js'
import { fatesOf, type Law, spoken, tagsIn } from './read.js'

/** P-16 */
export const pinned: Law = (trial) => {
  const { pin } = trial.policy.fit
  if (pin.first === 0) return []
  const admitted = admittedOf(trial)
  const first = admitted.findIndex(
    (one, i) =>
      one.ok &&
      one.item.parts.some((part) => (part.type === 'text' ? !isBlank(part.text) : part.type !== 'think')) &&
      (pin.of === 'user'
        ? one.item.role === 'user'
        : one.item.role !== 'system' || admitted.slice(0, i).every(isSystem)),
  )
  const one = admitted[first]
  if (!one?.ok || trial.input.marks?.excluded?.includes(one.item.id ?? '')) return []
  // a tagged prompt has no place for a system message
  if (one.item.role === 'system' && trial.target === 'text-tagged') return []
  const item = trial.result.items.find((shown) => shown.index === first)
  const again =
    one.item.id !== undefined && trial.result.items.some((shown) => shown.index !== first && shown.id === one.item.id)
  if (!item) return again ? [] : [`message ${first}, which is pinned, is missing`]
  const head = tagsIn(spoken(one.item))[0]
  const wire = pieces(trial).flatMap((piece) => tagsIn(piece.text))
  return !head || wire.some(({ text }) => text === head.text)
    ? []
    : [`message ${first}, which is pinned, is not on the wire`]
}

const isSystem = (one: ReturnType<typeof admittedOf>[number]): boolean => one.ok && one.item.role === 'system'

/** P-16, for what people decided: kept to, or told otherwise. */
export const heeded: Law = (trial) => {
  const { input, result, policy } = trial
  const { items, receipt } = result
  const { pinned = [], excluded = [], whole = [] } = input.marks ?? {}
  const fates = fatesOf(trial)
  const out: string[] = []
  const told = (code: string, id: string): boolean =>
    receipt.warnings.some((warning) => warning.code === code && warning.value === id)
  const admitted = admittedOf(trial)
  for (const id of excluded) {
    const at = input.messages.findLastIndex((message) => (message as { id?: string } | null)?.id === id)
    const fate = fates[at]
    if (told('mark.excluded', id)) continue
    if (items.some((item) => item.id === id)) out.push(`${id} is excluded, but there`)
    // wherever it stands, the receipt says who left it out
    if (admitted[at]?.ok && fate?.stage === 'fit' && fate.fate === 'dropped')
      out.push(`${id} is excluded, not ${fate.rule}`)
  }
  for (const id of pinned) {
    if (excluded.includes(id)) continue
    const at = trial.input.messages.findLastIndex((message) => (message as { id?: string } | null)?.id === id)
    const shown = items.some((item) => item.id === id) || fates[at]?.rule === 'fold.inline'
    if (!shown && !told('mark.pinned', id)) out.push(`${id} is pinned, but not there`)
  }
  for (const item of items) {
    const one = item.index === null ? undefined : admitted[item.index]
    if (!one?.ok || !whole.includes(item.id ?? '') || /^(?:fit\.oversize|mark\.pinned|fold\.files)$/.test(item.rule))
      continue
    const prefix = policy.fit.gap.form === 'prefix' ? policy.fit.gap.text : ''
    if (![spoken(one.item), prefix + spoken(one.item)].includes(item.text)) out.push(`${item.id} is to be whole`)
  }
  return [...out, ...quotations(trial)]
}

/** One item, just before the message to answer, whose blocks can be told apart whatever they say. */
function quotations({ result, input, policy }: Good): string[] {
  const { items, receipt } = result
  const out: string[] = []
  const quoted = items.filter((item) => item.mark === 'recall')
  if (quoted.length !== (receipt.recall ? 1 : 0)) return [`${quoted.length} quotations`]
  const [only] = quoted
  if (!only || !receipt.recall) return []
  const next = items[items.indexOf(only) + 1]
  const last = items.findLastIndex((item) => item.role === 'user' && item.fate !== 'marker')
  if (input.current !== undefined ? next?.fate !== 'current' : items.indexOf(only) + 1 !== last)
    out.push(`it stands before ${next?.fate} ${next?.index}`)
  if (only.role !== 'user') out.push(`${only.role} quotes`)
  const heads = only.text
    .split(/\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/)
    .filter((line) => line !== '' && !line.startsWith(' '))
  const [label, ...rest] = heads
  const blocks = rest.filter((line) => /^(?:\d+ )?(?:system|user|assistant|tool): /.test(line))
  const headings = rest.filter((line) => /^\((?:from: [^()]+)?(?:(?:, )?\d{4}-\d\d-\d\d)?\)$/.test(line))
  const isSound = blocks.length === receipt.recall.items.length && blocks.length + headings.length === rest.length
  if (label !== policy.recall.text || !isSound)
    out.push(`${blocks.length} blocks for ${receipt.recall.items.length}: ${JSON.stringify(heads)}`)
  const places = receipt.recall.items.flatMap(({ index }) => (index === null ? [] : [index]))
  if (places.some((place, i) => i > 0 && place <= (places[i - 1] as number))) out.push(`quoted in the order ${places}`)
  return out
}
