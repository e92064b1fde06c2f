/** A provider that fails: the history stays legal, and the next turn works (F-10). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../src/core/rules/check.js'
import { modelAt, tools } from '../../src/models/models.fixture.js'
import { openRuns } from '../../src/runs/runs.js'
import { type SqliteStore, sqliteStore } from '../../src/store/sqlite/store.js'
import { type Answer, wireNames } from './answer.js'
import { type FaultName, faultNames } from './faults.js'
import { startProvider } from './server.js'

const answers: Readonly<Record<string, Answer>> = {
  text: { text: 'Grüße, 你好 👩‍👩‍👧 and more words.' },
  tool: { text: 'Let me see ☕.', calls: [{ id: 'call_1', name: 'look', input: { q: 'größe 👍' } }] },
  thinking: { think: 'First, ☂ weigh it.', text: 'So it is ☀.' },
}

/** Faults that a wait brings about; they are told apart by their silence, so the wait is short for them alone. */
const isSilent = (fault: FaultName): boolean => /silence|slow headers/.test(fault)

export type Fault = (typeof cells)[number]

/** Every fault on every wire with every kind of answer. */
export const cells = faultNames.flatMap((fault) =>
  wireNames.flatMap((wire) => Object.keys(answers).map((kind) => ({ fault, wire, kind }))),
)

/** One test for each fault that is given. */
export function survives(given: readonly Fault[]): void {
  let folder: string
  let store: SqliteStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'throughline-faults-'))
    store = await sqliteStore(join(folder, 'log.db'))
  })
  afterAll(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  test.concurrent.each(given)('$wire with $kind: $fault', (cell) => survive(store, cell))
}

async function survive(store: SqliteStore, { wire, kind, fault }: Fault): Promise<void> {
  const answer = answers[kind] as Answer
  const provider = await startProvider({ answer, fault: null, models: ['llama3.2'] })
  try {
    const model = await modelAt(wire, provider.url, { silenceMs: isSilent(fault) ? 200 : 20_000 })
    const models = { usual: model.id, list: async () => [], find: async () => model }
    const runs = openRuns({ store, models })
    const place = { workspace: 'w', conversation: `${wire}, ${kind}, ${fault}`, tools }
    const turn = async (message: string) => (await runs.start({ ...place, message })).ended
    expect(await turn('first')).toMatchObject({ state: 'done' })
    provider.set({ fault })
    const broken = await turn('second')
    provider.set({ fault: null })
    const before = provider.requests.length
    expect(await turn('third')).toMatchObject({ state: 'done', error: null })

    expect(['done', 'failed']).toContain(broken.state)
    expect(broken.error === null).toBe(broken.state === 'done')
    const [branch] = await store.branches('w', place.conversation)
    const path = await store.path('w', place.conversation, branch?.head as string)
    const said = path.flatMap(({ body }) => (body.kind === 'message' ? [[body.role, body.status]] : []))
    const answered = broken.entry === null ? [] : [['assistant', broken.state === 'done' ? 'complete' : 'aborted']]
    const user = ['user', 'complete']
    const whole = ['assistant', 'complete']
    expect(said).toEqual([user, whole, user, ...answered, user, whole])
    // what a provider says of its faults is no one's message
    expect(JSON.stringify(path)).not.toContain('secret-words')
    if (wire === 'ollama') return
    for (const { body } of provider.requests.slice(before)) expect(check(model.target, body)).toEqual([])
  } finally {
    await provider.close()
  }
}
