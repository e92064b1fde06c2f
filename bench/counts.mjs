// How far our counts are from the tokenizers that can be had: estimate / true count, per family and kind of text.
import { readFileSync } from 'node:fs'
import { models, Tokenizer } from 'ai-tokenizer'
import * as cl100k from 'ai-tokenizer/encoding/cl100k_base'
import * as claude from 'ai-tokenizer/encoding/claude'
import * as o200k from 'ai-tokenizer/encoding/o200k_base'
import { counters } from '../dist/index.js'
import { dice, output, prose } from './lib/history.mjs'
import { table } from './lib/table.mjs'

const encodings = { o200k_base: o200k, cl100k_base: cl100k, claude }
/** A model of each family, by the name that `ai-tokenizer` knows it by. */
const families = {
  o200k: 'openai/gpt-4o',
  cl100k: 'openai/gpt-4-turbo',
  claude: 'anthropic/claude-sonnet-4.5',
  gemini: 'google/gemini-2.5-pro',
  llama: 'meta/llama-3.3-70b',
  mistral: 'mistral/mistral-large',
  qwen: 'alibaba/qwen3-max',
  deepseek: 'deepseek/deepseek-v3.1',
}
/** A count by tables, as the service has it: never below the truth, and no more than this above it. The bound without tables stands beside it. */
const most = 1.15
const chars = 2_000

const han =
  '昨天晚上雨下得很大，整个街区都停电了，孩子们围坐在烛光下听老人讲故事。人工智能模型的上下文窗口有限，必须截断历史。'
const kana =
  '昨日の夜は雨がひどくて、町中が停電になりました。子どもたちはろうそくの光の下で昔話を聞いていました。窓の外では風が鳴っています。'
const hangul =
  '어젯밤에는 비가 너무 많이 와서 동네 전체가 정전이 되었고, 아이들은 촛불 아래에서 옛날이야기를 들었다. 창밖에서는 바람이 불었다.'

const file = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

const textsOf = () => ({
  prose: [file('README.md').replace(/```[\s\S]*?```|\|.*\|/g, ''), file('AGENTS.md'), prose(dice(3), 3_000)].join('\n'),
  code: ['src/core/window/recall.ts', 'src/core/window/shrink.ts', 'bench/prefix.mjs'].map(file).join('\n'),
  JSON: [file('package.json'), JSON.stringify({ rows: output(dice(4), 3_000).split('\n') })].join('\n'),
  CJK: Array.from({ length: 300 }, (_, n) => [han, kana, hangul][n % 3]).join('\n'),
})

export async function counts() {
  const rows = []
  for (const [family, model] of Object.entries(families)) {
    const known = models[model]
    if (!known) throw new Error(`ai-tokenizer does not know ${model}`)
    const tokenizer = new Tokenizer(encodings[known.encoding])
    const truth = (text) => tokenizer.encode(text, [], []).length * (known.tokens?.contentMultiplier ?? 1)
    const ways = { table: await counters.best(family), bound: counters.estimate(family) }
    for (const [way, counter] of Object.entries(ways))
      for (const [kind, text] of Object.entries(textsOf())) {
        const ratios = piecesOf(text).map((piece) => counter.count(piece) / truth(piece))
        ratios.sort((one, other) => one - other)
        const [least, median, worst] = [ratios[0], ratios[ratios.length >> 1], ratios.at(-1)]
        rows.push({ family, way, counter: counter.name, model, kind, least, median, worst, pieces: ratios.length })
      }
  }
  return { rows, bars: barsOf(rows) }
}

function piecesOf(text) {
  const out = []
  for (let at = 0; at + chars <= text.length; at += chars) out.push(text.slice(at, at + chars))
  return out
}

const factor = (ratio) => ratio.toFixed(3)

const barsOf = (rows) =>
  Object.keys(families).flatMap((family) => {
    const own = rows.filter((row) => row.family === family && row.way === 'table')
    const worst = own.reduce((one, row) => (row.median > one.median ? row : one))
    const least = own.reduce((one, row) => (row.least < one.least ? row : one))
    return [
      {
        bar: `${family}: the median of the counts is within 15 % of the truth on prose, code, JSON and CJK`,
        ok: worst.median <= most,
        figure: `${factor(worst.median)} on ${worst.kind}`,
      },
      {
        bar: `${family}: no count is below the truth`,
        ok: least.least >= 1,
        figure: `${factor(least.least)} on ${least.kind}`,
      },
    ]
  })

export const countsTables = ({ rows }) => [
  table(
    `Our count / true count, over pieces of ${chars} characters; the truth is ai-tokenizer's for the model`,
    ['counter, text', 'least', 'median', 'worst', 'pieces', 'model'],
    rows.map(({ counter, kind, least, median, worst, pieces, model }) => [
      `${counter}: ${kind}`,
      factor(least),
      factor(median),
      factor(worst),
      String(pieces),
      model,
    ]),
  ),
]
