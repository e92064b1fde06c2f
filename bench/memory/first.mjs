// The first window with recall over a long conversation in a file, by a recaller and a store that know nothing of it yet.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHistory } from '../../dist/engine/index.js'
import { createRecaller } from '../../dist/recall/index.js'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { ask, shown, turnsOf } from './cost.mjs'
import { write } from './write.mjs'

const conversation = 'long'
const kind = 'recall 3 minilm-l6-v2-words-128/128'

export async function first(lengths = [1_000, 10_000, 100_000]) {
  const rows = []
  for (const length of lengths) {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-recall-'))
    const file = join(folder, 'chat.db')
    await prepare(file, length)
    const [cold, warm] = [[], []]
    for (let at = 0; at < 60; at++) {
      const store = await sqliteStore(file)
      const history = await openHistory({ store, conversation, recaller: createRecaller() })
      for (const times of [cold, warm]) {
        const start = performance.now()
        await history.window({ current: ask(), budget: 4_000 })
        // the first ones are of a process that knows nothing of its own code
        if (at >= 20) times.push(performance.now() - start)
      }
      await store.close()
    }
    for (const [name, times] of Object.entries({ first: cold, next: warm }))
      rows.push([
        `${length.toLocaleString('en')} messages in a file: ${name} window`,
        ...shown(times.sort((a, b) => a - b)),
      ])
    rmSync(folder, { recursive: true })
  }
  return rows
}

/** Written, and made ready as a server does it off the request. */
async function prepare(file, length) {
  const store = await sqliteStore(file)
  const history = await openHistory({ store, conversation, recaller: null })
  for (let from = 0; from < length; from += 1_000) await write(history, turnsOf(500, from / 2))
  const recaller = createRecaller()
  for (let last = 0; length - last > 64; ) {
    await history.window({ current: ask(), budget: 4_000, recaller })
    await new Promise((wake) => setTimeout(wake, 200))
    last = (await store.sheets('default', conversation, kind)).reduce((sum, one) => sum + one.last - one.first + 1, 0)
  }
  await store.close()
}
