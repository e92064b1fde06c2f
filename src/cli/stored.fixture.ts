/** A database with two conversations that the command works on. */
import { join } from 'node:path'
import { openHistory } from '../engine/history.js'
import { sqliteStore } from '../store/sqlite/store.js'
import { desk, type Ran, run, start } from './cli.fixture.js'

export interface Stored {
  readonly folder: string
  readonly db: string
  readonly env: Readonly<Record<string, string>>
  readonly tl: (args: readonly string[], input?: string) => Promise<Ran>
  readonly json: (args: readonly string[]) => Promise<Readonly<Record<string, unknown>>>
  readonly start: (args: readonly string[]) => ReturnType<typeof start>
}

export async function stored(): Promise<Stored> {
  const { folder } = desk()
  const db = join(folder, 'a.db')
  const env = { THROUGHLINE_DB: db, THROUGHLINE_DETECT_MODELS: 'false', COLUMNS: '100', TZ: 'UTC' }
  await fill(db)
  const tl: Stored['tl'] = (args, input = '') => run(args, { env, input, cwd: folder })
  return {
    ...{ folder, db, env, tl },
    json: async (args) => JSON.parse((await tl([...args, '--json'])).stdout) as Record<string, unknown>,
    start: (args) => start(args, { env, cwd: folder }),
  }
}

const leaf = `Loose leaf. ${'It is the cheapest by far. '.repeat(8)}`

async function fill(db: string): Promise<void> {
  const store = await sqliteStore(db)
  let minute = 0
  let number = 0
  const env = {
    now: () => new Date(Date.UTC(2026, 2, 1, 10, minute++)).toISOString(),
    id: () => `m${++number}`,
  }
  const talk = async (conversation: string, title: string, words: readonly string[]) => {
    const history = await openHistory({ store, conversation, title, env })
    for (const [i, content] of words.entries())
      await history.append({ id: `${conversation}-${i + 1}`, role: i % 2 === 0 ? 'user' : 'assistant', content })
    return history
  }
  await talk('template', 'A template', ['Which font?', 'Serif.'])
  const tea = await talk('tea', 'Tea', ['Tea for twelve.', leaf, 'What is oolong?', 'Half oxidised.'])
  await tea.fork('tea-2', 'cheaper')
  await tea.switch('cheaper')
  await tea.append({ id: 'tea-5', role: 'user', content: 'Is green tea cheaper?' })
  await tea.append({ id: 'tea-6', role: 'assistant', content: 'Yes, it is.' })
  await store.close()
}
