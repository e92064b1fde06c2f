// Is what a question needs in the window, at a fixed number of tokens? Prints the whole table; see bench/memory/README.md.
import { parseArgs } from 'node:util'
import open from './adapter.mjs'
import { baselines } from './baselines.mjs'
import { cost } from './cost.mjs'
import { questions, splitOf } from './data.mjs'
import { openElsewhere } from './elsewhere.mjs'
import { first } from './first.mjs'
import { followUps } from './followup.mjs'
import { replay } from './replay.mjs'
import { score } from './score.mjs'
import { workspaceCost } from './workspace.mjs'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    split: { type: 'string', default: 'dev' },
    only: {
      type: 'string',
      multiple: true,
      default: ['locomo', 'longmemeval_s', 'beam_100K', 'followup', 'replay', 'elsewhere', 'cost'],
    },
    budgets: { type: 'string', default: '1000,2000,4000,8000' },
    limit: { type: 'string', default: '1000000' },
    ours: { type: 'boolean', default: false },
  },
})
if (!values.data) throw new Error('--data DIR is needed: the folder with splits.json and data/')

const budgets = values.budgets.split(',').map(Number)
const engines = { throughline: open, ...(values.ours ? {} : baselines) }
const limit = Number(values.limit)

for (const set of ['locomo', 'longmemeval_s', 'beam_100K']) {
  if (!values.only.includes(set)) continue
  const conversations = questions(values.data, set, splitOf(values.data, set, values.split)).slice(0, limit)
  print(`${set}: % of questions with all evidence in the window`, ['', ...budgets])
  for (const [name, engine] of Object.entries(engines)) {
    const { all, byCategory, over } = await score(conversations, engine, budgets)
    row([`**${name}**${over ? ` (over budget: ${over})` : ''}`, ...all])
    if (name === 'throughline') for (const [category, figures] of byCategory) row([category, ...figures])
  }
}
if (values.only.includes('followup')) {
  const wanted = splitOf(values.data, 'followup', values.split)
  for (const tokens of [0, 3_000]) {
    const title = tokens ? `follow-ups behind a tool result of ${tokens} tokens` : 'follow-ups'
    print(`${title}: % with every word that people had to add`, ['', 500, 1_000, 2_000, 4_000])
    for (const [name, engine] of Object.entries(engines))
      row([name, ...(await followUps(values.data, wanted, tokens, engine, limit))])
  }
}
if (values.only.includes('replay')) {
  print('agent logs at 4,000 tokens', [
    'log',
    'windows',
    'current too large',
    'orphaned pairs',
    'newest user in %',
    'the answer before it in %',
  ])
  for (const figures of await replay(values.data, limit)) row(figures)
}
if (values.only.includes('elsewhere')) {
  const conversations = questions(values.data, 'locomo', splitOf(values.data, 'locomo', values.split)).slice(0, limit)
  print('locomo: % of questions with all evidence in the window', ['', ...budgets])
  for (const [name, engine] of [
    ['one conversation', open],
    ['a conversation for each session, asked in a new one', openElsewhere],
    ['the same with vectors in the store', (turns) => openElsewhere(turns, { meaning: true })],
  ])
    row([name, ...(await score(conversations, engine, budgets)).all])
}
if (values.only.includes('cost')) {
  print('what recall adds to a window, milliseconds', ['', 'p50', 'p95'])
  for (const figures of [...(await cost()), ...(await first()), ...(await workspaceCost())]) row(figures)
}

function print(title, columns) {
  console.log(`\n## ${title}\n`)
  row(columns)
  row(columns.map((_, at) => (at === 0 ? '---' : '--:')))
}

function row(cells) {
  console.log(`| ${cells.join(' | ')} |`)
}
