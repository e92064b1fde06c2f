// What recall adds to a window when it looks at a workspace of 100,000 messages, on a file and in memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHistory } from '../../dist/engine/index.js'
import { createFinder, createRecaller } from '../../dist/recall/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { dice, shown, timed } from './cost.mjs'

const conversations = 1_000
const messages = 100

/** As in a language: few words are said often, and those say little; most are said hardly ever. */
const little =
  'the of and to a in is that for it was on are as with his they be at one have this from or had by but what some we can out other were all there when up your how said an each she which do their time if will way about many then them write would like so these her long make thing see him two has look more day could go come did my sound no most who over know than call first people may down side been now find any new work part take get place made live where after back little only round man year came show every good me give our under'.split(
    ' ',
  )
const syllables = 'ba ce di fo gu la me ni po ru sa te vi zo ha ke'.split(' ')
const telling = Array.from({ length: 20_000 }, (_, n) => {
  const at = (place) => syllables[Math.floor(n / 16 ** place) % 16]
  return at(0) + at(1) + at(2) + at(3)
})
const vocabulary = [...little, ...telling]
const word = () => vocabulary[Math.floor(vocabulary.length ** dice()) - 1]
const sentence = (length) => Array.from({ length }, word).join(' ')
/** What is asked about is rarer than what is said. */
const subject = () => telling[Math.floor(telling.length ** (0.3 + 0.7 * dice())) - 1]
export const ask = () => `What did you say about the ${subject()} and the ${subject()} with ${subject()} ${subject()}?`

export async function workspaceCost() {
  const rows = []
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  try {
    for (const [name, store] of [
      ['a file', await sqliteStore(join(folder, 'bench.db'))],
      ['memory', memoryStore()],
    ]) {
      await fill(store)
      rows.push(...(await measured(store, name)))
      await createFinder().embed(store, 'default')
      rows.push(...(await measured(store, `${name} with vectors`)))
      await store.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return rows
}

export async function measured(store, name) {
  const history = await openHistory({ store, conversation: 'asking', recaller: null })
  if ((await store.get('default', 'asking')).entries === 0)
    await history.append([
      { role: 'user', content: 'Good morning.' },
      { role: 'assistant', content: 'Good morning! What can I do?' },
    ])
  const recaller = createRecaller()
  const overrides = { recall: { from: 'workspace' } }
  const plain = () => history.window({ current: ask(), budget: 4_000 })
  const beyond = () => history.window({ current: ask(), budget: 4_000, overrides, recaller })
  // the index takes in what is new when someone asks first
  await beyond()
  const bare = await timed(plain, 30)
  const full = await timed(beyond, 30)
  return [
    [`100,000 messages in ${name}: window alone`, ...shown(bare)],
    [`100,000 messages in ${name}: window with recall over the workspace`, ...shown(full)],
    ['recall adds', ...shown(full.map((time, at) => time - bare[at]))],
  ]
}

export async function fill(store) {
  for (let n = 0; n < conversations; n++) {
    const history = await openHistory({ store, conversation: `c${n}`, title: `Talk ${n}`, recaller: null })
    await history.append(
      Array.from({ length: messages }, (_, at) =>
        at % 2 === 0
          ? { role: 'user', content: `What about ${sentence(12)}?` }
          : { role: 'assistant', content: `The ${sentence(50)}.` },
      ),
    )
  }
}
