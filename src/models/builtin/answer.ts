/** What the responder answers: quotations, and a few fixed words between them. */

import { estimator } from '../../core/tokens/estimate.js'
import type { WindowItem } from '../../core/window/assemble.js'
import type { Model, ModelEvent, ModelRequest } from '../wire/contract.js'
import { extractiveId, phrases, shortList } from './phrases.js'
import { bestSentences, isListOf, newestList, pointerOf, type SentenceQuery } from './search.js'
import {
  builtinTerms,
  isStop,
  questionTerms,
  roughStem,
  type Sentence,
  type Source,
  sentencesIn,
  sourcesOf,
  unspaced,
} from './words.js'

export type Segment =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'quote'; readonly item: WindowItem; readonly text: string }

/** The last item is the message to answer. */
export function answer(items: readonly WindowItem[]): readonly Segment[] {
  const current = items.at(-1)
  const asked = current && sourcesOf([current])[0]
  if (!asked) return [words(phrases.alone), words(phrases.self)]
  const sources = sourcesOf(items.slice(0, -1))
  const question = asked.text
  if (isCourtesy.test(question)) return [words(phrases.self)]
  if (!isQuestion(question)) return [words(phrases.noted), quote(noteOf(asked))]
  if (sources.length === 0) return [words(phrases.alone), words(phrases.self)]
  return (
    recalled(question, sources) ??
    named(question, sources) ??
    listed(question, sources) ??
    found(question, sources) ?? [words(phrases.nothing), words(phrases.self)]
  )
}

const words = (text: string): Segment => ({ kind: 'words', text })
const quote = ({ source, text }: Sentence): Segment => ({ kind: 'quote', item: source.item, text })

/** The voices before the quotations, once for a run of quotations of one voice. */
function spoken(sentences: readonly Sentence[]): readonly Segment[] {
  return sentences.flatMap((sentence, at) => {
    const { voice } = sentence.source
    return voice === sentences[at - 1]?.source.voice ? [quote(sentence)] : [words(phrases[voice]), quote(sentence)]
  })
}

const isCourtesy =
  /^\s*(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks|thank you|ok|okay|bye|goodbye|who are you|what are you|what can you do|help|test)\b[\s\p{P}]*$/iu

const asking = new Set(
  (
    'what who whom whose which when where why how is are was were am do does did can could will would should shall may ' +
    'have has had tell show list give explain find remind repeat describe summarize summarise recall and so more go ' +
    'name quote compare que qué quién quien cuál cual cómo como cuándo dónde donde cuánto wer was wann wo warum wie ' +
    'welche welcher welches qui quel quelle comment où quand pourquoi combien что кто где когда почему как сколько ' +
    'какой какая какие chi cosa dove quando perché come quem qual'
  ).split(' '),
)

function isQuestion(text: string): boolean {
  if (/[?？؟]\s*["'”)]*\s*$/u.test(text.trim()) || /[?？؟](?:\s|$)/u.test(text)) return true
  if (unspaced.test(text))
    return /什么|什麼|谁|誰|哪|几|多少|为什么|為什麼|怎么|怎麼|吗|嗎|何|どこ|いつ|なぜ|どう|ですか|ますか|か。?$|언제|누구|무엇|어디|왜|까\.?$|อะไร|ใคร|ไหน|เมื่อไ/u.test(
      text,
    )
  const first = /[\p{L}]+/u.exec(text.toLowerCase())?.[0] ?? ''
  return asking.has(first) && !/^(?:and|so|was|have|may|will)\b/i.test(text)
    ? true
    : /^\s*(?:and|so)\s+(?:what|who|when|where|why|how|which|is|are|the)\b|^\s*(?:please\s+)?(?:tell|show|list|give|explain|remind|repeat)\b/i.test(
        text,
      )
}

/** What a statement states: short as it stands, otherwise its beginning. */
function noteOf(source: Source): Sentence {
  const all = sentencesIn(source)
  const fact = all.find(({ text }) => /\b(?:remember|note|my|i am|i'm|we|deadline|important)\b/i.test(text))
  return source.text.trim().length <= 200 ? { source, text: source.text.trim() } : (fact ?? (all[0] as Sentence))
}

const ofMine =
  /\bwhat\b.*\b(?:did i|have i|was my|were my|i)\b.*\b(?:say|said|ask|asked|write|wrote|tell|told|message|question|mention)\b/i
const ofYours =
  /\bwhat\b.*\b(?:did you|have you|was your|your)\b.*\b(?:say|said|answer|answered|tell|told|reply|replied|message)\b/i
const ending = /\b(?:first|last|before|previous(?:ly)?|just|most recent|beginning|start|earliest|latest)\b/i

/** `What did I ask first?` */
function recalled(question: string, sources: readonly Source[]): readonly Segment[] | null {
  const which = ending.exec(question)?.[0].toLowerCase()
  if (which === undefined) return null
  const isMine = ofMine.test(question)
  if (!isMine && !ofYours.test(question)) return null
  const about = questionTerms(question).filter((term) => !memory.has(term))
  if (about.length > 0) return null
  const said = sources.filter(({ voice }) => voice === (isMine ? 'user' : 'assistant'))
  const isFirst = /first|beginning|start|earliest/.test(which)
  const source = isFirst ? said[0] : said.at(-1)
  if (!source) return null
  const phrase = !isMine ? phrases.answered : isFirst ? phrases.first : phrases.last
  return [words(phrase), quote({ source, text: source.text.trim() })]
}

const memory = new Set(
  'say said ask asked write wrote tell told message question mention answer answered reply first last before previous previously just recent beginning start earliest latest conversation chat'
    .split(' ')
    .map(roughStem),
)

const saysName =
  /\b(?:my name(?:['’]s| is)|i am called|call me|i go by|ich hei(?:ß|ss)e|je m['’]appelle|me llamo|меня зовут)\s|我叫|我的名字|私の名前|名前は/iu

/** `What is my name?` */
function named(question: string, sources: readonly Source[]): readonly Segment[] | null {
  if (!/\bmy name\b|\bwho am i\b|wie hei(?:ß|ss)e ich|me llamo|меня зовут|我叫什|我的名字|私の名前/iu.test(question))
    return null
  const said = [...sources].reverse().filter(({ voice }) => voice === 'user')
  for (const source of said) {
    const sentence = sentencesIn(source).findLast(({ text }) => saysName.test(text) && !/[?？]$/.test(text))
    if (sentence) return spoken([sentence])
  }
  return null
}

/** `Tell me more about the first one.` */
function listed(question: string, sources: readonly Source[]): readonly Segment[] | null {
  const pointer = pointerOf(question)
  const list = pointer && newestList(sources)
  if (!pointer || !list || (pointer.noun !== null && !isListOf(pointer.noun, list, sources))) return null
  const entry = pointer.index < 0 ? list.entries.at(-1) : list.entries[pointer.index]
  if (entry === undefined) return [words(shortList(list.entries.length)), words(phrases.self)]
  const subject = builtinTerms(headOf(entry)).filter((term) => questionTerms(term).length > 0 || /\d/.test(term))
  const pointing = new Set([
    ...builtinTerms(
      'first second third fourth fifth sixth seventh eighth ninth tenth last latter former final option item number choice entry step point one',
    ),
    ...(pointer.noun === null ? [] : [roughStem(pointer.noun)]),
  ])
  const direct = questionTerms(question).filter(
    (term) => !pointing.has(term) && !/^(?:\d{1,2}(?:st|nd|rd|th)?|[a-h])$/.test(term),
  )
  const others = sources.filter((source) => source !== list.source)
  const query: SentenceQuery = { direct, subject, question, voice: null }
  const elsewhere = bestSentences(query, others, 2)
  // a long message may say more of its own entry further down
  const more =
    elsewhere.length > 0
      ? elsewhere
      : bestSentences(query, [list.source], 2).filter(({ text }) => !text.includes(entry))
  const start: readonly Segment[] = [words(phrases.listed), { kind: 'quote', item: list.source.item, text: entry }]
  if (more.length > 0) return [...start, ...spoken(more)]
  return direct.length > 0 || !entry.includes(' ') ? [...start, words(phrases.noMore)] : start
}

/** The name in front of `Quay: the registry` or `Quay - the registry`. */
const headOf = (entry: string): string => /^(.{2,60}?)(?:[:：]|\s[-–—]\s|\s\()/u.exec(entry)?.[1] ?? entry

function found(question: string, sources: readonly Source[]): readonly Segment[] | null {
  const noun = pointedAt(question)
  const asked = questionTerms(question)
  const subject = (noun !== null ? antecedent(noun, sources) : leans(question) ? subjects(sources) : []).filter(
    (term) => !asked.includes(term),
  )
  const direct = noun !== null && subject.length > 0 ? asked.filter((term) => term !== roughStem(noun)) : asked
  const known = sources.at(-1)?.own ? sources.at(-1)?.text : undefined
  const query: SentenceQuery = {
    direct,
    subject,
    question,
    voice: /\bdid i\b|\bmy\b|\bi (?:said|told|mentioned)\b/i.test(question)
      ? 'user'
      : /\bdid you\b|\byour\b/i.test(question)
        ? 'assistant'
        : null,
    ...(known !== undefined && { known }),
  }
  const first = bestSentences(query, sources, 3)
  const sentences =
    first.length > 0 || noun === null ? first : bestSentences({ ...query, direct: asked, subject: [] }, sources, 1)
  return sentences.length > 0 ? spoken(sentences) : null
}

// What `it`, `that file` or a bare `what about ...` refer to.

const pronoun = /\b(?:it|its|it's|they|their|them|that|this|those|these|he|she|his|her|him|there|one)\b/i
const following = /^\s*(?:and|so|also|what about|how about|tell me more|more|go on|why|how so|since when|until when)\b/i

/** True when a question leans on what was said before. */
const leans = (question: string): boolean => pronoun.test(question) || following.test(question)

const pointing = /\b(?:that|this|those|these|the same|said)\s+([\p{L}][\p{L}\p{N}_-]*)/iu

/** The thing named in `that file`. */
function pointedAt(question: string): string | null {
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
function antecedent(noun: string, sources: readonly Source[]): string[] {
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
function subjects(sources: readonly Source[]): string[] {
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

// The model that is always there: no AI, works offline, answers only by quoting the window.

const family = 'o200k'

export const extractive: Model = {
  id: extractiveId,
  label: 'Built-in responder (no AI)',
  kind: 'builtin',
  facts: { id: extractiveId, provider: 'builtin', family, window: 32_768, output: 1_024, scale: 1, source: 'catalog' },
  target: 'messages',
  stream,
}

async function* stream({ items, output, signal }: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  signal.throwIfAborted()
  const { count } = estimator(family)
  const room = output ?? extractive.facts.output
  let used = 0
  let reason: 'stop' | 'length' = 'stop'
  for (const event of eventsOf(answer(items))) {
    signal.throwIfAborted()
    used += count(event.text)
    if (used > room) {
      reason = 'length'
      break
    }
    yield event
  }
  const input = items.reduce((sum, item) => sum + item.tokens, 0)
  yield { type: 'finish', reason, usage: { input, output: Math.min(used, room) } }
}

type Spoken = Extract<ModelEvent, { type: 'text' | 'quote' }>

function* eventsOf(segments: readonly Segment[]): Generator<Spoken> {
  for (const [at, segment] of segments.entries()) {
    const before = segments[at - 1]
    const gap = before === undefined ? '' : before.kind === 'words' && segment.kind === 'quote' ? ' ' : '\n'
    if (segment.kind === 'words') yield* chunks(gap + segment.text)
    else {
      yield { type: 'text', text: `${gap}“` }
      yield quoted(segment)
      yield { type: 'text', text: '”' }
    }
  }
}

/** A message without an id cannot be pointed at; its words are still its own. */
const quoted = ({ item, text }: Extract<Segment, { kind: 'quote' }>): Spoken =>
  item.id === undefined ? { type: 'text', text } : { type: 'quote', entry: item.id, text }

function* chunks(text: string): Generator<Spoken> {
  for (const chunk of text.match(/\s*\S+/g) ?? []) yield { type: 'text', text: chunk }
}
