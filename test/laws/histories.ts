/** Histories as stores hold them: every dialect, every shape of a turn, and then the damage. */
import fc from 'fast-check'
import type { Call, Picture, Result, Said, Thought } from './dialects/said.js'
import { type DialectName, dialects, write } from './dialects/write.js'
import { output, speech, type Text } from './texts.js'

/**
 * Every text begins with a tag that tells whose it is and where it was said: u user, a assistant, s system, h thought,
 * c call, r result, f file. The laws read them in the request, whatever its form.
 */
export const tagOf = (kind: string, turn: number, place: string | number): string => `⟦${kind}${turn}.${place}⟧`
export const tags = /⟦([uashcrf])(\d+\.[\d.]+)⟧/g

interface CallShape {
  readonly name: string
  readonly id: 'own' | 'same' | 'empty' | 'illegal'
  readonly output: Text
  readonly failed: boolean
}

interface Step {
  readonly text: Text | null
  readonly thought: 'none' | 'signed' | 'bare' | 'foreign'
  readonly calls: readonly CallShape[]
  readonly results: 'ordered' | 'reversed' | 'one missing' | 'all missing' | 'one twice' | 'late'
}

interface TurnShape {
  readonly system: boolean
  readonly users: readonly Text[]
  readonly files: readonly Picture['kind'][]
  readonly steps: readonly Step[]
  readonly answer: Text | null
  readonly dialect: DialectName
  readonly ids: boolean
}

const call: fc.Arbitrary<CallShape> = fc.record({
  name: fc.constantFrom('read_file', 'search', 'mcp.server/tool', '9lives', 'плохо'),
  id: fc.constantFrom('own', 'own', 'own', 'own', 'own', 'same', 'empty', 'illegal'),
  output,
  failed: fc.boolean(),
})

const step: fc.Arbitrary<Step> = fc.record({
  text: fc.option(speech, { nil: null }),
  thought: fc.constantFrom('none', 'none', 'signed', 'bare', 'foreign'),
  calls: fc.oneof(
    { weight: 3, arbitrary: fc.array(call, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(call, { minLength: 3, maxLength: 8, size: 'max' }) },
  ),
  results: fc.constantFrom(
    'ordered',
    'ordered',
    'ordered',
    'reversed',
    'one missing',
    'all missing',
    'one twice',
    'late',
  ),
})

const turnShape = (dialect: fc.Arbitrary<DialectName>): fc.Arbitrary<TurnShape> =>
  fc.record({
    system: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    users: fc.oneof(
      { weight: 8, arbitrary: fc.tuple(speech) },
      { weight: 1, arbitrary: fc.array(speech, { maxLength: 2 }) },
    ),
    files: fc.oneof(
      { weight: 8, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom('image', 'code', 'pdf'), { maxLength: 2 }) },
    ),
    steps: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(step, { maxLength: 2 }) },
    ),
    answer: fc.option(speech, { nil: null, freq: 8 }),
    dialect,
    ids: fc.boolean(),
  })

const models = { signed: 'claude-sonnet-4-5', bare: 'claude-sonnet-4-5', foreign: 'gpt-4o' } as const

function build(shape: TurnShape, n: number): readonly Said[] {
  const out: Said[] = []
  if (shape.system) out.push({ kind: 'system', text: `${tagOf('s', n, 0)} You obey only me.` })
  shape.users.forEach((text, i) => {
    const files = shape.files.map((kind, f): Picture => ({ kind, text: `${tagOf('f', n, `${i}.${f}`)} print(1)` }))
    out.push({
      kind: 'user',
      text: text(tagOf('u', n, i)),
      files: i === 0 ? files : [],
      ...(shape.ids && { id: `u-${n}-${i}` }),
    })
  })
  const late: Said[] = []
  shape.steps.forEach((one, i) => {
    const calls = one.calls.map(
      (made, k): Call => ({
        id: idOf(made.id, n, i, k),
        name: made.name,
        input: { q: tagOf('c', n, `${i}.${k}`) },
      }),
    )
    const results = one.calls.map(
      (made, k): Result => ({
        id: (calls[k] as Call).id,
        name: made.name,
        output: made.output(tagOf('r', n, `${i}.${k}`)),
        failed: made.failed,
      }),
    )
    const thought = thoughtOf(one.thought, n, i)
    out.push({
      kind: 'assistant',
      text: one.text?.(tagOf('a', n, i)) ?? null,
      thought,
      calls,
      ...(one.thought !== 'none' && { model: models[one.thought] }),
      ...(shape.ids && { id: `a-${n}-${i}` }),
    })
    const placed = arranged(results, one.results)
    if (placed.length === 0) return
    if (one.results === 'late') late.push({ kind: 'results', results: placed })
    else out.push({ kind: 'results', results: placed })
  })
  if (shape.answer) out.push({ kind: 'assistant', text: shape.answer(tagOf('a', n, 9)), thought: null, calls: [] })
  return [...out, ...late]
}

function idOf(kind: CallShape['id'], n: number, i: number, k: number): string {
  if (kind === 'same') return 'call_1'
  if (kind === 'empty') return ''
  return kind === 'illegal' ? `call ${n}/${i}:${k} ünïcode` : `call_${n}_${i}_${k}`
}

function thoughtOf(kind: Step['thought'], n: number, i: number): Thought | null {
  if (kind === 'none') return null
  return {
    text: `${tagOf('h', n, i)} Let me see.`,
    signature: kind === 'bare' ? null : `sig${n}${i}`,
    id: `rs_${n}_${i}`,
  }
}

function arranged(results: readonly Result[], how: Step['results']): readonly Result[] {
  const [first, ...rest] = results
  if (how === 'all missing' || !first) return []
  if (how === 'reversed') return [...results].reverse()
  if (how === 'one missing') return rest
  return how === 'one twice' ? [...results, first] : results
}

/** What happens to rows in a store. `a` and `b` choose the rows. */
interface Damage {
  readonly kind: 'drop' | 'repeat' | 'swap' | 'id' | 'cut start' | 'cut end' | 'junk' | 'role' | 'merge'
  readonly a: number
  readonly b: number
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'swap', 'id', 'cut start', 'cut end', 'junk', 'role', 'merge'),
  a: fc.nat(9_999),
  b: fc.nat(9_999),
})

export const junk: readonly unknown[] = [
  null,
  undefined,
  0,
  'a bare string',
  '',
  [],
  {},
  { role: 'user' },
  { content: 'no role' },
  { role: 'wizard', content: 'x' },
  { role: 7, content: 'x' },
  { role: { toString: 'user' }, content: 'x' },
  { role: 'user', content: 12 },
  { role: 'user', content: null },
  { role: 'user', content: [] },
  { role: 'user', content: [null, 3, { type: 'nope' }, { type: 'text' }] },
  { role: 'user', content: { text: 'x' } },
  { role: 'assistant', content: '', tool_calls: [null, {}, { id: 'call_1' }] },
  { role: 'assistant', content: null, tool_calls: [] },
  { role: 'tool', content: 'an orphan' },
  { role: 'tool', tool_call_id: 'nowhere', content: 'an orphan' },
  { type: 'function_call_output', call_id: 'nowhere', output: 'an orphan' },
  { type: 'reasoning', id: 'rs_x', summary: [] },
  { type: 'unheard_of' },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '' }] },
  { role: 'assistant', parts: [] },
  { role: 'User ', content: ' loose ' },
  { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: '' }] },
  { role: 'user', content: 'pinned', pinned: true },
  Object.freeze(Object.create({ role: 'user', content: 'inherited' })),
]

function damaged(history: readonly unknown[], { kind, a, b }: Damage): readonly unknown[] {
  if (history.length === 0) return kind === 'junk' ? [junk[a % junk.length]] : history
  const i = a % history.length
  const j = b % history.length
  const rows = [...history]
  switch (kind) {
    case 'drop':
      rows.splice(i, 1)
      break
    case 'repeat':
      rows.splice(j, 0, rows[i])
      break
    case 'swap':
      ;[rows[i], rows[j]] = [rows[j], rows[i]]
      break
    case 'cut start':
      return rows.slice(i)
    case 'cut end':
      return rows.slice(0, i + 1)
    case 'junk':
      rows.splice(i, 1, junk[b % junk.length])
      break
    case 'id':
      rows[i] = renamed(rows[i], b)
      break
    case 'role':
      rows[i] = spokenBy(rows[i], b)
      break
    case 'merge':
      if (isRow(rows[i])) rows[i] = { ...rows[i], ...(b % 2 === 0 ? { id: 'same' } : { timestamp: 'never' }) }
  }
  return rows
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function spokenBy(row: unknown, how: number): unknown {
  if (!isRow(row) || typeof row.role !== 'string') return row
  return { ...row, role: ['wizard', row.role.toUpperCase(), 7][how % 3] }
}

const ids = /^(tool_call_id|tool_use_id|toolCallId|call_id|id)$/

/** Every id in a row becomes another: a result is re-parented, or an id collides or is torn. */
function renamed(row: unknown, how: number): unknown {
  const to = ['call_1', 'call_0_0_0', 'torn\ud800', '', 'x'.repeat(90)][how % 5]
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isRow(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ids.test(key) ? to : walk(inner)]))
  }
  return walk(row)
}

export interface History {
  readonly messages: readonly unknown[]
  readonly damage: readonly string[]
}

const chosen = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...dialects).map((name) => fc.constant(name)) },
  { weight: 1, arbitrary: fc.constant(fc.constantFrom(...dialects)) },
)

const shapes = chosen.chain((dialect) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.array(turnShape(dialect), { maxLength: 6, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(turnShape(dialect), { minLength: 8, maxLength: 40, size: 'max' }) },
  ),
)

const written = (turns: readonly TurnShape[]): readonly unknown[] =>
  turns.flatMap((shape, n) => write(build(shape, n), shape.dialect)).slice(0, 120)

/** Any history, sound or damaged. */
export const histories: fc.Arbitrary<History> = fc
  .tuple(
    shapes,
    fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: fc.array(damage, { maxLength: 5 }) }),
  )
  .map(([turns, damages]) => ({
    messages: damages.reduce(damaged, written(turns)),
    damage: damages.map(({ kind, a, b }) => `${kind} ${a} ${b}`),
  }))

/** Short texts, whole tool traffic: a conversation in which nothing is clipped or refused. */
const calm: fc.Arbitrary<TurnShape> = fc.record({
  system: fc.constant(false),
  users: fc.constant<readonly Text[]>([(tag) => `${tag} a question`]),
  files: fc.constant([]),
  steps: fc.array(
    fc.record({
      text: fc.constantFrom<Text | null>(null, (tag) => `${tag} looking`),
      thought: fc.constant<Step['thought']>('none'),
      calls: fc.array(
        fc.record({
          name: fc.constantFrom('read_file', 'search'),
          id: fc.constant<CallShape['id']>('own'),
          output: fc.constantFrom<Text>(
            (tag) => `${tag} found`,
            (tag) => `${tag} nothing`,
          ),
          failed: fc.constant(false),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      results: fc.constantFrom<Step['results'][]>('ordered', 'reversed'),
    }),
    { maxLength: 2 },
  ),
  answer: fc.constant<Text>((tag) => `${tag} an answer`),
  dialect: fc.constantFrom(...dialects),
  ids: fc.boolean(),
})

/** The turns of a calm conversation, each a list of raw messages. */
export const conversations: fc.Arbitrary<readonly (readonly unknown[])[]> = fc
  .array(calm, { minLength: 2, maxLength: 14, size: 'max' })
  .map((turns) => turns.map((shape, n) => write(build(shape, n), shape.dialect)))
