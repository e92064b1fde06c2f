/** A policy is plain data that says how a path becomes a window. The order of the stages is law, not policy. */
import * as z from 'zod'
import { targets } from '../target.js'

const natural = z.int().min(0)
const positive = z.int().min(1)
const share = z.number().min(0).max(1)

/** How a text over a limit is cut, in code points. In the mark, `{original}` and `{omitted}` become numbers. */
const cut = z.strictObject({
  over: positive,
  head: natural,
  tail: natural,
  mark: z.string(),
})

const intake = z.strictObject({
  /** A malformed message is an error, or is left out and costs no place. */
  invalid: z.enum(['reject', 'drop']),
  /** Who may speak. */
  roles: z.array(z.enum(['user', 'assistant', 'orchestrator', 'system', 'tool'])).min(1),
  /** Role names must match exactly, or after trimming and lower-casing. */
  role: z.enum(['exact', 'loose']),
  /** Content may be anything a known dialect allows, must be a string, or is made one. */
  content: z.enum(['any', 'string', 'coerce']),
  trim: z.boolean(),
  empty: z.enum(['keep', 'drop']),
  /** Timestamps are kept as given, filled when missing, or filled and repaired with a warning. */
  time: z.enum(['keep', 'fill', 'repair']),
  /** A text over this many code points is refused. */
  hard: z.nullable(z.strictObject({ user: positive, assistant: positive })),
  /** Only this many newest messages are looked at; the rest are dropped unseen. */
  last: z.nullable(positive),
  /** Warn from this many messages on. */
  warnAt: z.nullable(positive),
  /** A system message in the history is refused, dropped with a warning, or kept while it leads. */
  system: z.enum(['refuse', 'drop', 'lead']),
  /** Whose words errors and warnings use: ours, or those of specification 0 or 2. */
  voice: z.enum(['plain', 's0', 's2']),
})

const fold = z.strictObject({
  /** How tool traffic appears: as it is, inside the assistant's text, shortened, or not at all. */
  tools: z.enum(['keep', 'inline', 'abbreviate', 'drop']),
  /** In this many newest turns (up to eight times as many, as the border moves in steps) tools are kept as they are. */
  recent: natural,
  /** How a tool result is cut when it is inlined or abbreviated. */
  result: cut,
})

const clip = z.strictObject({
  user: z.nullable(cut),
  assistant: z.nullable(cut),
  /** For the results of calls that were kept. */
  tool: z.nullable(cut),
  /** Cut between graphemes, not only between code points. */
  graphemes: z.boolean(),
  /** The newest user message is exempt. */
  newestWhole: z.boolean(),
})

const gap = z.strictObject({
  /** How the reader is told that something is missing. */
  form: z.enum(['none', 'prefix', 'message']),
  role: z.enum(['system', 'assistant']),
  /** `{n}` becomes the number of messages left out there. */
  text: z.string(),
  /** Its cost is set aside first; or it is added only if there is room; or added whatever it costs. */
  reserve: z.enum(['first', 'if-room', 'never']),
  /** Shown whenever the history is over the limit, even if nothing could be left out. */
  always: z.boolean(),
})

const fit = z.strictObject({
  grain: z.enum(['message', 'turn']),
  /** Limits of the history; the current message counts only against bytes and tokens. */
  messages: z.nullable(positive),
  turns: z.nullable(positive),
  chars: z.nullable(positive),
  bytes: z.nullable(positive),
  /** A number, or `model`: the model's window. */
  tokens: z.nullable(z.union([positive, z.literal('model')])),
  /** Tokens limit the history alone, or the whole request, so that the reserves are taken off first. */
  covers: z.enum(['history', 'request']),
  reserve: z.strictObject({ system: natural, tools: natural, response: natural }),
  /** What a character limit counts: the text, or the whole record as specification 2 measures it. */
  measure: z.enum(['text', 'record']),
  /** This many first messages stay, in at most this share of the tokens. */
  pin: z.strictObject({ first: natural, of: z.enum(['any', 'user']), share }),
  /** This many newest messages stay whatever the limits say. */
  floor: natural,
  /** Share of the token budget that is freed at once when the history overflows. */
  step: z.number().min(0).max(0.5),
  /** The history may begin with anyone, or must begin with a user. Needs grain "turn". */
  lead: z.enum(['any', 'user']),
  /** What becomes of a newest message that is alone over the limit. */
  oversize: z.enum(['refuse', 'clip', 'keep']),
  gap,
})

export const policySchema = z.strictObject({
  name: z.string().min(1).max(64),
  says: z.string(),
  intake,
  fold,
  clip,
  fit,
  /** `auto` takes the counter of the model's family. */
  counter: z.enum(['auto', 'chars/4']),
  /** What happens to what does not fit. `summarize` needs a summariser and falls back with a warning. */
  strategy: z.enum(['truncate', 'summarize']),
  render: z.strictObject({
    target: z.enum(targets),
    think: z.enum(['drop', 'text']),
    section: z.enum(['emoji', 'plain']),
    escape: z.boolean(),
  }),
})

export type Policy = Frozen<z.infer<typeof policySchema>>
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
