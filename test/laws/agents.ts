/** Histories as coding agents write them: an opener full of rules, parallel calls, results of 1 to 200 KB, pictures, long pastes. */
import fc from 'fast-check'

interface Shape {
  /** Characters of the user's message, of each result of each round, and of the answer. */
  readonly asks: number
  readonly rounds: readonly (readonly number[])[]
  readonly answers: number
  readonly picture: boolean
}

const size = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 20, max: 1_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 200_000 }) },
)

const turn: fc.Arbitrary<Shape> = fc.record({
  asks: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 10, max: 400 }) }, { weight: 1, arbitrary: size }),
  rounds: fc.array(fc.array(size, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
  answers: fc.integer({ min: 20, max: 2_000 }),
  picture: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

/** In the form of OpenAI's chat completions, which is that of the request as well. */
export type Row = { readonly role: string } & Readonly<Record<string, unknown>>

export interface Work {
  readonly turns: readonly (readonly Row[])[]
  /** The last turn is still going on: its answer has not been given. */
  readonly open: boolean
}

/** Words that differ from place to place, so that a piece of them tells where it is from. */
function words(tag: string, chars: number): string {
  let text = ''
  for (let line = 0; text.length < chars; line++) text += `${tag} line ${line} of what was said there\n`
  return text.slice(0, chars)
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function rows({ asks, rounds, answers, picture }: Shape, n: number, opener: number, isOpen: boolean): Row[] {
  const said = words(`u${n}`, n === 0 ? opener : asks)
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }
  const out: Row[] = [{ role: 'user', content: picture ? [{ type: 'text', text: said }, image] : said }]
  rounds.forEach((results, i) => {
    const ids = results.map((_, k) => `call_${n}_${i}_${k}`)
    const call = (id: string): object => ({
      id,
      type: 'function',
      function: { name: 'read_file', arguments: `{"path":"${id}"}` },
    })
    out.push({ role: 'assistant', content: `looking ${n}.${i}`, tool_calls: ids.map(call) })
    results.forEach((chars, k) => {
      out.push({ role: 'tool', tool_call_id: ids[k], content: words(`r${n}.${i}.${k}`, chars) })
    })
  })
  return isOpen ? out : [...out, { role: 'assistant', content: words(`a${n}`, answers) }]
}

export const works: fc.Arbitrary<Work> = fc
  .tuple(fc.array(turn, { minLength: 1, maxLength: 14, size: 'max' }), size, fc.boolean())
  .map(([shapes, opener, open]) => {
    const isOpen = open && (shapes.at(-1)?.rounds.length ?? 0) > 0
    return {
      turns: shapes.map((shape, n) => rows(shape, n, opener, isOpen && n === shapes.length - 1)),
      open: isOpen,
    }
  })
