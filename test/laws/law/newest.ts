/** The message to answer is there. */
import { isBlank, wellFormed } from '../../../src/core/message/text.js'
import { admittedOf, pieces, type Trial } from '../trial.js'
import { type Law, spoken, textsOf, unfiled } from './read.js'

/** P-03: the newest user message is there byte for byte, or cut with a mark where the policy cuts it. */
export const newestUser: Law = (trial) => {
  const { items, receipt } = trial.result
  const users = pieces(trial).filter((piece) => piece.role === 'user')
  const heard = (text: string): boolean => isBlank(text) || users.some((piece) => piece.text.includes(wellFormed(text)))
  const { current } = trial.input
  if (current !== undefined) {
    const last = items.at(-1)
    const text = typeof current === 'string' ? current : (current as { content: { text: string }[] }).content[0]?.text
    if (last?.fate !== 'current') return ['the current message is not last']
    if (!heard(last.text)) return ['the current message is not on the wire']
    if (last.text === text) return receipt.current?.fate === 'kept' ? [] : ['whole, but told otherwise']
    const told = receipt.current?.fate === 'clipped' && /omitted|truncated/.test(last.text)
    return told && mayCut(trial, last.rule) ? [] : ['the current message is cut without a word']
  }
  const admitted = admittedOf(trial)
  const speaks = (index: number): boolean => {
    const one = admitted[index]
    return one?.ok === true && one.item.parts.length > 0 && one.item.role !== 'system'
  }
  const newest = admitted.findLastIndex((one, i) => speaks(i) && one.ok && one.item.role === 'user')
  const one = admitted[newest]
  if (!one?.ok || isBlank(spoken(one.item))) return []
  const later = admitted.some((_, i) => i > newest && speaks(i))
  const shown = items.find((item) => item.index === newest)
  // a policy of single messages keeps the newest ones, whoever spoke them
  if (!shown)
    return later && trial.policy.fit.grain === 'message'
      ? []
      : [`message ${newest}, the newest of the user, is missing`]
  if (!textsOf(shown).every(heard)) return [`message ${newest} is not on the wire as the user's`]
  if (spoken(shown) === spoken(one.item) || unfiled(spoken(shown)) === spoken(one.item)) return []
  const prefix = trial.policy.fit.gap.form === 'prefix' ? trial.policy.fit.gap.text : ''
  if (prefix && spoken(shown) === prefix + spoken(one.item)) return []
  // where it might as well be missing, its share as a pinned message is more than nothing
  const isHeld = shown.rule === 'mark.pinned' && later && trial.policy.fit.grain === 'message'
  return shown.fate === 'clipped' && shown.clipped === true && (isHeld || mayCut(trial, shown.rule))
    ? []
    : [`message ${newest} is cut without a word`]
}

function mayCut({ policy }: Trial, rule: string): boolean {
  if (rule === 'clip.user') return policy.clip.user !== null && !policy.clip.newestWhole
  return rule === 'fit.oversize' && policy.fit.oversize === 'clip'
}
