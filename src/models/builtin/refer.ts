/** What `it`, `that file` or a bare `what about ...` refer to. */
import { type Source, sentencesIn } from './sentences.js'
import { builtinTerms, isStop, questionTerms, roughStem } from './words.js'

const pronoun = /\b(?:it|its|it's|they|their|them|that|this|those|these|he|she|his|her|him|there|one)\b/i
const following = /^\s*(?:and|so|also|what about|how about|tell me more|more|go on|why|how so|since when|until when)\b/i

/** True when a question leans on what was said before. */
export const leans = (question: string): boolean => pronoun.test(question) || following.test(question)

const pointing = /\b(?:that|this|those|these|the same|said)\s+([\p{L}][\p{L}\p{N}_-]*)/iu

/** The thing named in `that file`. */
export function pointedAt(question: string): string | null {
  const noun = pointing.exec(question)?.[1]?.toLowerCase()
  return noun === undefined || isStop(noun) || isStop(roughStem(noun)) ? null : noun
}

const looksLike: Readonly<Record<string, RegExp>> = {
  file: /(?:[\w.-]+\/)*[\w-]+\.[a-z][a-z0-9]{0,4}\b/gi,
  url: /https?:\/\/\S+[\w/]/gi,
  link: /https?:\/\/\S+[\w/]/gi,
  email: /[\w.+-]+@[\w-]+\.[\w.]+\w/gi,
}

/** The terms of the newest thing of that kind. */
export function antecedent(noun: string, sources: readonly Source[]): string[] {
  const wanted = roughStem(noun)
  const shape = looksLike[noun.replace(/s$/, '')]
  for (const source of [...sources].reverse()) {
    const match = shape && source.text.match(shape)?.at(-1)
    if (match) return builtinTerms(match)
    if (source.own || !builtinTerms(source.text).includes(wanted)) continue
    const sentence = sentencesIn(source).findLast(({ text }) => builtinTerms(text).includes(wanted))
    return subjectsIn(sentence?.text ?? source.text).filter((term) => term !== wanted)
  }
  return []
}

/** The subject of the newest turns. */
export function subjects(sources: readonly Source[]): string[] {
  const recent = sources.slice(-6).reverse()
  for (const source of recent) {
    const found = source.voice === 'tool' ? [] : namesIn(source.text)
    if (found.length > 0) return found
  }
  const said = recent.find(({ voice, own }) => voice === 'user' && !own)
  return said ? questionTerms(said.text) : []
}

function subjectsIn(text: string): string[] {
  const names = namesIn(text)
  return names.length > 0 ? names : questionTerms(text)
}

const name =
  /(?<=\S[ \t]+["'“(]?)\p{Lu}[\p{L}\p{N}]*(?:[-_.][\p{L}\p{N}]+)*|`[^`\n]+`|(?:[\w.-]+\/)+[\w.-]*\w|\b\w+_\w+\b/gu

/** Names and identifiers; a capital at the head of a sentence proves nothing. */
function namesIn(text: string): string[] {
  const found = new Set<string>()
  for (const { 0: word, index } of text.matchAll(name)) {
    if (/[.!?]["'”)]*\s+["'“(]?$/.test(text.slice(Math.max(0, index - 6), index)) && !/[a-z][A-Z]|[\d_/`]/.test(word))
      continue
    for (const term of builtinTerms(word)) if (!isStop(term) && term !== 'i') found.add(term)
  }
  return [...found]
}
