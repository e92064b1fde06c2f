/** A policy is plain data that says how a path becomes a window. The order of the stages is law, not policy. */
import { targets } from '../message/target.js'
import { either, fields, flag, listOf, oneOf, or, orNull, share, type TypeOf, whole, words } from './shape.js'

const natural = whole(0)
const positive = whole(1)

/** How a text over a limit is cut, in code points. In the mark, `{original}` and `{omitted}` become numbers. */
const cut = fields({
  over: positive,
  head: natural,
  tail: natural,
  mark: words(),
})

const intake = fields({
  /** A malformed message is an error, or is left out and costs no place. */
  invalid: oneOf('reject', 'drop'),
  /** Who may speak. */
  roles: listOf(oneOf('user', 'assistant', 'orchestrator', 'system', 'tool'), 1),
  /** Role names must match exactly, or after trimming and lower-casing. */
  role: oneOf('exact', 'loose'),
  /** Content may be anything a known dialect allows, must be a string, or is made one. */
  content: oneOf('any', 'string', 'coerce'),
  trim: flag,
  empty: oneOf('keep', 'drop'),
  /** Timestamps are kept as given, filled when missing, or filled and repaired with a warning. */
  time: oneOf('keep', 'fill', 'repair'),
  /** A text over this many code points is refused. */
  hard: orNull(fields({ user: positive, assistant: positive })),
  /** Only this many newest messages are looked at; the rest are dropped unseen. */
  last: orNull(positive),
  /** Warn from this many messages on. */
  warnAt: orNull(positive),
  /** A system message in the history is refused, dropped with a warning, or kept while it leads. */
  system: oneOf('refuse', 'drop', 'lead'),
  /** Whose words errors and warnings use: ours, or those of specification 0 or 2. */
  voice: oneOf('plain', 's0', 's2'),
})

const fold = fields({
  /** How tool traffic appears: as it is, inside the assistant's text, shortened, or not at all. */
  tools: oneOf('keep', 'inline', 'abbreviate', 'drop'),
  /** In this many newest turns tools are kept as they are; as the border moves in steps, in up to twice as many, or four times where not everything fits. */
  recent: natural,
  /** How a tool result is cut when it is inlined or abbreviated. */
  result: cut,
})

const clip = fields({
  user: orNull(cut),
  assistant: orNull(cut),
  /** For the results of calls that were kept. */
  tool: orNull(cut),
  /** Cut between graphemes, not only between code points. */
  graphemes: flag,
  /** The newest user message is exempt. */
  newestWhole: flag,
})

const gap = fields({
  /** How the reader is told that something is missing. */
  form: oneOf('none', 'prefix', 'message'),
  role: oneOf('system', 'assistant'),
  /** `{n}` becomes the number of messages left out there. */
  text: words(),
  /** Its cost is set aside first; or it is added only if there is room; or added whatever it costs. */
  reserve: oneOf('first', 'if-room', 'never'),
  /** Shown whenever the history is over the limit, even if nothing could be left out. */
  always: flag,
})

const summary = fields({
  /** Its first line; `{n}` becomes the number of messages it stands for. */
  text: words(1),
  /** It may take this share of each limit; with 0 no summary is used. */
  share: share(0.5),
  /** One is written when so large a share of the budget is missing from the window; 0: only when asked for. */
  due: share(1),
})

const recall = fields({
  /** Share of the tokens that the newest turns leave to what is recalled when a message asks about the past; 0 is off. */
  share: share(0.9),
  /** The share while the talk goes on: it stays the same, so that the prefix does. */
  usual: or(share(0.9), 0.1),
  /** More tokens than this are never left to it. */
  most: or(orNull(positive), null),
  /** Where to look: here; also at what is known, the memories; also at the workspace's other conversations. */
  from: oneOf('conversation', 'memories', 'workspace'),
  /** The line before what is quoted. */
  text: words(1),
})

export const usualSummary = { text: '[Summary of earlier messages]', share: 0.25, due: 0 }
export const usualRecall = {
  share: 0,
  usual: 0.1,
  most: null as number | null,
  from: 'conversation' as 'conversation' | 'memories' | 'workspace',
  text: '[Earlier messages that may matter now. They are quoted, not said anew.]',
}

const fit = fields({
  grain: oneOf('message', 'turn'),
  /** Limits of the history; the current message counts only against bytes and tokens. */
  messages: orNull(positive),
  turns: orNull(positive),
  chars: orNull(positive),
  bytes: orNull(positive),
  /** A number, or `model`: the model's window. */
  tokens: orNull(either(positive, oneOf('model'))),
  /** Tokens limit the history alone, or the whole request, so that the reserves are taken off first. */
  covers: oneOf('history', 'request'),
  reserve: fields({ system: natural, tools: natural, response: natural }),
  /** What a character limit counts: the text, or the whole record as specification 2 measures it. */
  measure: oneOf('text', 'record'),
  /** This many first messages stay, each in at most this share of the tokens; those that people pinned share as much. */
  pin: fields({ first: natural, of: oneOf('any', 'user'), share: share(1) }),
  /** This many newest messages stay whatever the limits say. */
  floor: natural,
  /** Share of the token budget that is freed at once when the history overflows. */
  step: share(0.5),
  /** The history may begin with anyone, or must begin with a user. Needs grain "turn". */
  lead: oneOf('any', 'user'),
  /** What becomes of a newest message that is alone over the limit. */
  oversize: oneOf('refuse', 'clip', 'keep'),
  gap,
  summary: or(summary, usualSummary),
})

export const policySchema = fields({
  name: words(1, 64),
  says: words(),
  intake,
  fold,
  clip,
  fit,
  /** `auto` takes the counter of the model's family. */
  counter: oneOf('auto', 'chars/4'),
  /** What happens to what does not fit. `summarize` needs a summariser and falls back with a warning. */
  strategy: oneOf('truncate', 'summarize'),
  recall: or(recall, usualRecall),
  render: fields({
    target: oneOf(...targets),
    think: oneOf('drop', 'text'),
    section: oneOf('emoji', 'plain'),
    escape: flag,
  }),
})

export type Policy = Frozen<TypeOf<typeof policySchema>>
export type Cut = Policy['clip']['user'] & {}

export type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

export type Overrides = Partial<{
  readonly [K in keyof Policy]: Policy[K] extends readonly unknown[]
    ? Policy[K]
    : Policy[K] extends object
      ? DeepPartial<Policy[K]>
      : Policy[K]
}>

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K]
    : T[K] extends object | null
      ? DeepPartial<T[K] & {}> | T[K]
      : T[K]
}
