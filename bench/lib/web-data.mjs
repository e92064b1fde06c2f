// What the app is shown: long conversations of mixed messages, and an answer as models write them.
import { dice, prose } from './history.mjs'

export const lengths = [100, 1_000, 5_000]
export const paceMs = 25
/** Conversations beside them in the list, and tool calls in the session of an agent. */
export const listed = 10_000
export const calls = 2_000

const random = dice(41)
const texts = Array.from({ length: 48 }, () => prose(random, random.between(10, 120)))
const code = ['```ts', 'export const add = (one: number, other: number): number => one + other', '```'].join('\n')
const table = ['| name | kind | tokens |', '|:--|:--|--:|', '| first | kept | 120 |', '| second | dropped | 90 |'].join(
  '\n',
)
const list = ['- **one** thing', '- another, with `code`', '  - and one below it'].join('\n')
const extras = ['', '', code, table, list]

export const messageAt = (at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: at % 2 === 0 ? texts[at % 48] : `## Part ${at}\n\n${texts[at % 48]}\n\n${extras[at % 5]}`.trim(),
})

/** A question, then a call and its result, again and again. */
export const callAt = (at) => [
  {
    role: 'assistant',
    content: at % 10 === 0 ? texts[at % 48] : '',
    tool_calls: [
      { id: `call_${at}`, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/${at}.ts"}` } },
    ],
  },
  { role: 'tool', tool_call_id: `call_${at}`, content: texts[(at * 7) % 48] },
]

/** Marks by which a reader can tell how far the answer has come. */
export const markAt = (at) => `mark${at}.`

const paragraphs = Array.from({ length: 14 }, (_, at) =>
  [`### Step ${at}`, `${prose(random, 45)} **bold ${at}** and \`code ${at}\`.`, extras[at % 5]]
    .filter(Boolean)
    .join('\n\n'),
)
const words = paragraphs.join('\n\n').match(/\s*\S+/g)

/** Three words at a time. */
export const answerPieces = Array.from({ length: Math.ceil(words.length / 3) }, (_, at) =>
  words.slice(at * 3, at * 3 + 3).join(''),
).map((piece, at) => (at % 40 === 0 && !piece.includes('|') && !piece.includes('`') ? `${piece} ${markAt(at)}` : piece))
