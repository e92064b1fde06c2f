/** Strings are well formed, and cuts clean and told. */
import { length, wellFormed } from '../../../src/core/message/text.js'
import { admittedOf } from '../trial.js'
import { type Law, spoken, strings, tagsIn, unfiled } from './read.js'

/** P-06 */
export const wellFormedStrings: Law = ({ result }) =>
  [result.rendered, result.items, result.receipt].flatMap((value) =>
    strings(value)
      .filter((text) => wellFormed(text) !== text)
      .map((text) => `ill formed: ${JSON.stringify(text.slice(0, 60))}`),
  )

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

const oversize = '\n[… {omitted} characters omitted …]\n'

/** P-06: head and tail are the original's own, and no cut splits what a reader sees as one character. */
export const cleanCuts: Law = (trial) => {
  const { policy, input, result } = trial
  const out: string[] = []
  const admitted = admittedOf(trial)
  const said = [policy.clip.user, policy.clip.assistant].flatMap((cut) => (cut ? [cut.mark] : []))
  for (const item of result.items) {
    const one = item.index === null ? undefined : admitted[item.index]
    if (!one?.ok || !item.clipped || item.rule === 'fold.inline' || policy.fold.tools === 'inline') continue
    if (unfiled(item.text) === spoken(one.item)) continue
    const prefix =
      policy.fit.gap.form === 'prefix' && item.text.startsWith(policy.fit.gap.text) ? policy.fit.gap.text.length : 0
    out.push(
      ...cutsOf(item.text.slice(prefix), spoken(one.item), [...said, oversize], policy.clip.graphemes, item.index),
    )
  }
  const originals = new Map<string, string>()
  for (const text of strings(input.messages))
    for (const tag of tagsIn(text)) if (tag.kind === 'r') originals.set(tag.text, wellFormed(text))
  const marks = [policy.fold.result.mark, policy.clip.tool?.mark ?? policy.fold.result.mark]
  for (const part of result.items.flatMap((item) => item.parts)) {
    if (part.type !== 'call' || part.outcome.state === 'pending') continue
    const [only] = part.outcome.output
    if (only?.type !== 'text' || part.outcome.output.length > 1) continue
    const original = originals.get(tagsIn(only.text)[0]?.text ?? '')
    if (original !== undefined && original !== only.text)
      out.push(...cutsOf(only.text, original, marks, policy.clip.graphemes, part.id))
  }
  return out
}

function cutsOf(
  text: string,
  original: string,
  marks: readonly string[],
  graphemes: boolean,
  where: unknown,
): string[] {
  for (const mark of marks) {
    const pattern = new RegExp(
      escaped(mark)
        .replace(/\\\{(original|omitted)\\\}/g, '(?<$1>\\d+)')
        .replace('\\{expand\\}', '(?:; expand [^\\n]*?)?'),
      'g',
    )
    for (const match of text.matchAll(pattern)) {
      const head = text.slice(0, match.index)
      const tail = text.slice(match.index + match[0].length)
      if (!original.startsWith(head) || !original.endsWith(tail)) continue
      const omitted = original.length - head.length - tail.length
      if (omitted <= 0) continue
      const gone = length(original.slice(head.length, original.length - tail.length))
      if (match.groups?.omitted && Number(match.groups.omitted) !== gone)
        return [`${where}: ${gone} are omitted, ${match[0]} is said`]
      if (match.groups?.original && Number(match.groups.original) !== length(original))
        return [`${where}: the length is not ${match[0]}`]
      return [head.length, original.length - tail.length]
        .filter((at) => !isBorder(original, at, graphemes))
        .map(
          (at) =>
            `${where}: cut inside a character at ${at}: ${JSON.stringify(original.slice(Math.max(0, at - 6), at + 6))}`,
        )
    }
  }
  return [`${where}: no mark where it was cut: ${JSON.stringify(text.slice(0, 40))}`]
}

const escaped = (value: string): string => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function isBorder(value: string, at: number, graphemes: boolean): boolean {
  if (at <= 0 || at >= value.length) return true
  if (graphemes) return segmenter.segment(value).containing(at)?.index === at
  return !((value.charCodeAt(at) & 0xfc00) === 0xdc00 && (value.charCodeAt(at - 1) & 0xfc00) === 0xd800)
}
