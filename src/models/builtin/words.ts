/** Words as they are compared: folded, stemmed a little, and in scripts without spaces by pairs of characters. */
import { isBlank } from '../../core/message/text.js'
import type { WindowItem } from '../../core/window/assemble.js'
import { extractiveId, isOwnAnswer } from './phrases.js'

/** Calls `each` with every term of a text. */
export function terms(text: string, each: (term: string) => void): void {
  if (isPlain(text)) plainTerms(text, each)
  else wideTerms(text, each)
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

function plainTerms(text: string, each: (term: string) => void): void {
  let from = -1
  let joined = false
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    if (isWord[code]) {
      if (from < 0) from = at
      continue
    }
    if (from < 0) continue
    // a joint holds two pieces together, and only then
    if (isJoint[code] && isWord[text.charCodeAt(at + 1)]) {
      joined ||= code !== 39
      continue
    }
    token(text.slice(from, at), joined, each)
    from = -1
    joined = false
  }
}

const isWord = Uint8Array.from({ length: 128 }, (_, code) => (/[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0))
const isJoint = Uint8Array.from({ length: 128 }, (_, code) => ("._/'-".includes(String.fromCharCode(code)) ? 1 : 0))

/** A path or a compound is found by its pieces, too. */
function token(word: string, joined: boolean, each: (term: string) => void): void {
  each(termOf(word))
  if (joined) for (const piece of word.split(joints)) if (piece) each(termOf(piece))
}

function wideTerms(text: string, each: (term: string) => void): void {
  for (const [word] of text.matchAll(tokens)) {
    if (word.charCodeAt(0) > 127 && unspaced.test(word)) pairs(word, each)
    else token(word, joints.test(word), each)
  }
}

const cached = new Map<string, string>()

/** A word as it is compared. */
function termOf(word: string): string {
  const made = cached.get(word)
  if (made !== undefined) return made
  // a bounded memory of words: it only saves work
  if (cached.size > 20_000) cached.clear()
  const term = roughStem(fold(word))
  cached.set(word, term)
  return term
}

export function builtinTerms(text: string): string[] {
  const found = new Set<string>()
  terms(text, (term) => found.add(term))
  return [...found]
}

const tokens = /[\p{L}\p{N}\p{M}]+(?:[._/'’-][\p{L}\p{N}\p{M}]+)*/gu
const joints = /[._/-]/
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

function pairs(token: string, each: (term: string) => void): void {
  const chars = [...token]
  if (chars.length === 1) each(token)
  for (let at = 0; at + 1 < chars.length; at++) each((chars[at] as string) + chars[at + 1])
}

const plainAscii = /^[a-z0-9]+$/

function fold(token: string): string {
  const lower = token.toLowerCase()
  if (plainAscii.test(lower)) return lower
  return lower
    .replace(/['’](?:s|re|ve|ll|d|m|t)?$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
}

const endings: readonly (readonly [ending: string, instead: string])[] = [
  ['encies', ''],
  ['ations', ''],
  ['ation', ''],
  ['ments', ''],
  ['ment', ''],
  ['ency', ''],
  ['ated', ''],
  ['ates', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ers', ''],
  ['ed', ''],
  ['er', ''],
  ['es', ''],
  ['s', ''],
]

/** Enough that owns, owner and owned are one. */
export function roughStem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || word.endsWith('ss')) return word
  for (const [ending, instead] of endings) {
    const left = word.length - ending.length
    if (left < 3 || !word.endsWith(ending)) continue
    const base = word.slice(0, left) + instead
    return base.length > 3 && /([bdgklmnprt])\1$/.test(base) ? base.slice(0, -1) : base.replace(/(?<=..)e$/, '')
  }
  return word.replace(/(?<=...)e$/, '')
}

/** Words that ask, point or connect, and say nothing of what is asked about. */
const listed =
  'a an the and or but if then so as at by for from in into of off on onto out over to up with within without about ' +
  'is are was were be been being am do does did done doing have has had having can could will would shall should may ' +
  'might must i you he she it we they me him her us them my your his its our their mine yours hers ours theirs this ' +
  'that these those here there what who whom whose which when where why how again also just please tell show give ' +
  'more most some any no not yes ok okay know let say said says mean means see thing things one ones remind repeat ' +
  'explain describe list find get got make made want need like than too very much many now earlier before previously ' +
  'something anything everything all each every other another same such only called named long far often'

/** The same in the languages that are met most often; short, because each word that asks costs an answer. */
const foreign =
  'el la los las un una de del que qué quién quien cuál cual cuáles cómo como cuándo cuando dónde donde cuánto es son está ' +
  'mi tu su der die das ein eine ist sind wer was wann wo warum wie welche welcher welches mein meine dein ich du wir le ' +
  'les une des est sont qui quel quelle quels quelles comment où quand pourquoi combien mon ma mes и в на не что кто где ' +
  'когда почему как сколько какой какая какое какие чей чья чьё мой моя моё мои твой это был была было были il lo gli ' +
  'è sono chi cosa dove quando perché come mio mia o os as é são quem qual meu minha'

const stops = new Set(`${listed} ${foreign}`.split(' ').flatMap((word) => [word, termOf(word)]))

export const isStop = (term: string): boolean => stops.has(term)

const cjkStops =
  /^[什么麼的了是吗嗎呢吧啊在我你他她它们們这這那哪谁誰怎样樣请請のはがをにでとかもへやすまで何誰どこですますしたる]+$/u

/** The terms of a question that it is about. */
export function questionTerms(text: string): string[] {
  return builtinTerms(text).filter((term) => !isStop(term) && !cjkStops.test(term))
}

// The sentences of a window, each a piece of its message to the letter.

export interface Source {
  readonly item: WindowItem
  /** Who said it. */
  readonly voice: 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Counted from the oldest. */
  readonly order: number
  /** Written by this very responder: nothing new stands there. */
  readonly own: boolean
}

export interface Sentence {
  readonly source: Source
  readonly text: string
}

/** What was said before the current message, oldest first. */
export function sourcesOf(items: readonly WindowItem[]): Source[] {
  const sources: Source[] = []
  const add = (item: WindowItem, voice: Source['voice'], text: string) => {
    if (isBlank(text)) return
    const own = voice === 'assistant' && (item.model === extractiveId || isOwnAnswer(text))
    sources.push({ item, voice, text, order: sources.length, own })
  }
  for (const item of items) {
    if (item.mark === 'recall') {
      for (const { voice, text } of recalledIn(item)) add(item, voice, text)
      continue
    }
    if (item.fate === 'marker' || item.role === 'system') continue
    for (const part of item.parts) {
      if (part.type === 'text') add(item, item.role === 'user' ? 'user' : 'assistant', part.text)
      if (part.type === 'file' && part.source.kind === 'text') add(item, 'tool', part.source.text)
      if (part.type !== 'call' || part.outcome.state === 'pending') continue
      for (const output of part.outcome.output) if (output.type === 'text') add(item, 'tool', output.text)
    }
  }
  return sources
}

const abbreviated = /(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|Inc|Ltd|approx)\.$/
const fullStops = new Set([...'.!?…'].map((mark) => mark.charCodeAt(0)))
const wideStops = new Set([...'。！？'].map((mark) => mark.charCodeAt(0)))
const closers = new Set([...'"\'”’)]'].map((mark) => mark.charCodeAt(0)))
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 0xa0

export function sentencesIn(source: Source): Sentence[] {
  const { text } = source
  const out: Sentence[] = []
  let from = 0
  const add = (to: number) => {
    const piece = text.slice(from, to).trim()
    if (piece !== '' && !isBlank(piece)) out.push({ source, text: piece })
    from = to
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || wideStops.has(code)) add(at + 1)
    else if (fullStops.has(code)) {
      // the closing quote belongs to the sentence
      let end = at + 1
      while (closers.has(text.charCodeAt(end))) end++
      if (!isSpace(text.charCodeAt(end)) || isAbbreviation(text, at)) continue
      add(end)
      at = end - 1
    }
  }
  add(text.length)
  return out
}

const isAbbreviation = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 46 && abbreviated.test(text.slice(Math.max(0, at - 8), at + 1))

const block = /^(?:\d+ )?(user|assistant|tool|memory): (.*)$/

/** What was recalled stands in one item: a line of ours before each conversation, then who said what. */
function recalledIn({ parts }: WindowItem): { readonly voice: Source['voice']; readonly text: string }[] {
  const said: { readonly voice: Source['voice']; text: string }[] = []
  for (const line of parts.flatMap((part) => (part.type === 'text' ? part.text.split('\n').slice(1) : []))) {
    const [, who, words = ''] = block.exec(line) ?? []
    const voice = who === 'assistant' || who === 'tool' ? who : 'user'
    const last = said.at(-1)
    if (who !== undefined) said.push({ voice, text: words })
    else if (last && line.startsWith(' ')) last.text += `\n${line.trimStart()}`
  }
  return said
}
