// What recall adds to a window, and how fast messages are made ready for it.
import { openHistory } from '../../dist/engine/index.js'
import { createRecaller } from '../../dist/recall/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { write } from './write.mjs'

const names =
  'garden engine letter harbour winter doctor bridge orchard signal museum painter valley kitchen lantern'.split(' ')
let seed = 7
export const dice = () => {
  seed = (seed * 1_664_525 + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const word = () => names[Math.floor(dice() * names.length)] + (dice() < 0.3 ? Math.floor(dice() * 500) : '')
const sentence = (length) => Array.from({ length }, word).join(' ')
export const turnsOf = (count, from = 0) =>
  Array.from({ length: count }, (_, n) => [
    { role: 'user', content: `Question ${from + n} about the ${sentence(15)}?` },
    { role: 'assistant', content: `The ${sentence(60)}.` },
  ]).flat()

export async function cost() {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'long', recaller: null })
  await write(history, turnsOf(1_000))
  const recaller = createRecaller()
  const plain = () => history.window({ current: ask(), budget: 4_000 })
  const withRecall = () => history.window({ current: ask(), budget: 4_000, recaller })
  const began = performance.now()
  await withRecall()
  const first = performance.now() - began
  const bare = await timed(plain)
  const full = await timed(withRecall)
  const rows = [
    ['1,000 turns: window alone', ...shown(bare)],
    ['1,000 turns: window with recall', ...shown(full)],
    ['recall adds', ...shown(full.map((time, at) => time - bare[at]))],
    ['messages a second made ready, words and vectors', Math.round(2_000 / (first / 1_000)), ''],
  ]
  await store.close()
  return rows
}

export const ask = () => `What did you say about the ${word()} and the ${word()}?`

export async function timed(work, count = 60) {
  const times = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    await work()
    if (n >= 10) times.push(performance.now() - start)
  }
  return times.sort((one, other) => one - other)
}

export const shown = (times) => [times[times.length >> 1].toFixed(1), times[Math.floor(times.length * 0.95)].toFixed(1)]
