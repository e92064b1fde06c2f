/** What a policy must look like; `schema.ts` says what each field means. */
import { targets } from '../message/target.js'
import type {
  ClipPolicy,
  Cut,
  FitPolicy,
  FoldPolicy,
  GapPolicy,
  IntakePolicy,
  Policy,
  RecallPolicy,
  RenderPolicy,
  SummaryPolicy,
} from './schema.js'
import { either, fields, flag, listShape, oneOf, or, orNull, share, whole, words } from './shape.js'

const natural = whole(0)
const positive = whole(1)

const cut = fields<Cut>({ over: positive, head: natural, tail: natural, mark: words() })

const intake = fields<IntakePolicy>({
  invalid: oneOf('reject', 'drop'),
  roles: listShape(oneOf('user', 'assistant', 'orchestrator', 'system', 'tool'), 1),
  role: oneOf('exact', 'loose'),
  content: oneOf('any', 'string', 'coerce'),
  trim: flag,
  empty: oneOf('keep', 'drop'),
  time: oneOf('keep', 'fill', 'repair'),
  hard: orNull(fields({ user: positive, assistant: positive })),
  last: orNull(positive),
  warnAt: orNull(positive),
  system: oneOf('refuse', 'drop', 'lead', 'prompt'),
  voice: oneOf('plain', 's0', 's2'),
})

const fold = fields<FoldPolicy>({ tools: oneOf('keep', 'inline', 'abbreviate', 'drop'), result: cut })

const clip = fields<ClipPolicy>({
  when: or(oneOf('always', 'pressure'), 'always'),
  user: orNull(cut),
  assistant: orNull(cut),
  tool: orNull(cut),
  graphemes: flag,
  newestWhole: flag,
})

const gap = fields<GapPolicy>({
  form: oneOf('none', 'prefix', 'message'),
  role: oneOf('system', 'assistant'),
  text: words(),
  reserve: oneOf('first', 'if-room', 'never'),
  always: flag,
})

const summary = fields<SummaryPolicy>({ text: words(1), share: share(0.5), due: share(1) })

export const usualSummary: SummaryPolicy = { text: '[Summary of earlier messages]', share: 0.25, due: 0 }

const recall = fields<RecallPolicy>({
  share: share(0.9),
  usual: or(share(0.9), 0.1),
  most: or(orNull(positive), null),
  from: oneOf('conversation', 'memories', 'workspace'),
  text: words(1),
})

export const usualRecall: RecallPolicy = {
  share: 0,
  usual: 0.1,
  most: null,
  from: 'conversation',
  text: '[Earlier messages that may matter now. They are quoted, not said anew.]',
}

const fit = fields<FitPolicy>({
  grain: oneOf('message', 'turn'),
  messages: orNull(positive),
  turns: orNull(positive),
  chars: orNull(positive),
  bytes: orNull(positive),
  tokens: orNull(either(positive, oneOf('model'))),
  covers: oneOf('history', 'request'),
  reserve: fields({ system: natural, tools: natural, response: natural }),
  measure: oneOf('text', 'record'),
  pin: fields({ first: natural, of: oneOf('any', 'user'), share: share(1) }),
  floor: natural,
  step: share(0.5),
  lead: oneOf('any', 'user'),
  oversize: oneOf('refuse', 'clip', 'keep'),
  gap,
  summary: or(summary, usualSummary),
})

const render = fields<RenderPolicy>({
  target: oneOf(...targets),
  think: oneOf('drop', 'text'),
  section: oneOf('emoji', 'plain'),
  escape: flag,
})

export const policyForm = fields<Policy>({
  name: words(1, 64),
  says: words(),
  intake,
  fold,
  clip,
  fit,
  counter: oneOf('auto', 'chars/4'),
  strategy: oneOf('truncate', 'summarize'),
  recall: or(recall, usualRecall),
  render,
})
