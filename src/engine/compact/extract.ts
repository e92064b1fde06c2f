/** A summary without a model: the sentences that tell most, to the letter, in the order in which they were said. */
import { mapSlowly } from '../../store/shared/turn.js'
import type { Brief, Said, Section, Statement, Summariser } from './contract.js'
import { keepsOf, specifics } from './keep.js'
import { sentencesOf } from './sentences.js'
import { telling } from './telling.js'

interface Candidate {
  readonly statement: Statement
  readonly terms: ReadonlySet<string>
  readonly words: number
  readonly order: number
  readonly weight: number
}

export const extractive: Summariser = {
  author: 'extractive',
  async summarise(brief) {
    const { take, chosen } = picking(brief)
    await mapSlowly(brief.said, take)
    return chosen()
  },
}

/** All at once. */
export function extract(brief: Brief): readonly Statement[] {
  const { take, chosen } = picking(brief)
  for (const one of brief.said) take(one)
  return chosen()
}

function picking({ previous, said, words }: Brief) {
  const must = new Set(keepsOf(said).must.map(({ text }) => text))
  const candidates: Candidate[] = []
  const add = (statement: Statement, weight: number): void => {
    const terms = telling(statement.text)
    if (terms.size === 0) return
    const specific = specifics({ id: '', text: statement.text }).filter(({ text }) => must.has(text)).length
    const length = statement.text.split(/\s+/).length
    candidates.push({ statement, terms, words: length, order: candidates.length, weight: weight + specific * 0.5 })
  }
  for (const statement of previous) add(statement, 1.5)
  return {
    take({ id, voice, text }: Said): void {
      if (voice === 'tool') return
      for (const [at, sentence] of sentencesOf(text).entries()) {
        const section = sectionOf(sentence, voice)
        add({ section, text: sentence, sources: [id] }, voices[voice] + importance[section] + (at === 0 ? 0.3 : 0))
      }
    },
    chosen: (): readonly Statement[] =>
      choose(candidates, words)
        .sort((one, other) => one.order - other.order)
        .map(({ statement }) => statement),
  }
}

const voices = { user: 0.8, assistant: 0.2 }
const importance: Readonly<Record<Section, number>> = { request: 0.4, decision: 0.8, fact: 0, open: 0.8, exact: 0 }

const decided =
  /\b(?:decided?|agreed?|let'?s|we(?:'| wi)ll|i(?:'| wi)ll|chose|choose|go(?:ing)? with|prefer|must(?: not)?|never|always|instead of|changed? to|switch(?:ed)? to|deadline)\b/i
const asked =
  /\?\s*$|^(?:please|can|could|would|how|what|why|when|where|which|who|help|write|make|build|fix|add|show|explain|find)\b/i
const open =
  /\b(?:to-?do|still (?:open|need)|open question|not (?:yet )?decided|undecided|follow[- ]?up|remind me|pending)\b/i

function sectionOf(sentence: string, voice: 'user' | 'assistant'): Section {
  if (open.test(sentence)) return 'open'
  if (voice === 'user' && asked.test(sentence)) return 'request'
  return decided.test(sentence) ? 'decision' : 'fact'
}

/** The most telling first; what has been said already tells less. */
function choose(candidates: readonly Candidate[], words: number): Candidate[] {
  const rarity = rarities(candidates)
  const left = new Set(candidates)
  const said = new Set<string>()
  const chosen: Candidate[] = []
  let room = words
  for (;;) {
    let best: Candidate | null = null
    let most = 0
    for (const candidate of left) {
      if (candidate.words > room) continue
      let fresh = 0
      for (const term of candidate.terms) if (!said.has(term)) fresh += rarity.get(term) ?? 0
      const value = ((1 + fresh) * candidate.weight) / Math.sqrt(candidate.words + 4)
      if (value > most) [best, most] = [candidate, value]
    }
    if (!best) return chosen
    chosen.push(best)
    left.delete(best)
    room -= best.words
    for (const term of best.terms) said.add(term)
    // a long history has thousands of sentences: those that lost clearly are not looked at again
    if (left.size > 400) prune(left, rarity)
  }
}

function prune(left: Set<Candidate>, rarity: ReadonlyMap<string, number>): void {
  const value = ({ terms, weight, words }: Candidate): number =>
    ([...terms].reduce((sum, term) => sum + (rarity.get(term) ?? 0), 1) * weight) / Math.sqrt(words + 4)
  const valued = Array.from(left, (candidate) => ({ candidate, value: value(candidate) }))
  for (const { candidate } of valued.sort((one, other) => other.value - one.value).slice(300)) left.delete(candidate)
}

/** Words that are in some sentences, but not in most, tell what the talk is about. */
function rarities(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const all = candidates.length
  return new Map([...counts].map(([term, count]) => [term, Math.log(1 + all / count) * (count > 1 ? 1.3 : 1)]))
}
