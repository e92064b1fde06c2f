import { expect, test } from 'vitest'
import { at, freshFiles, say } from './file.fixture.js'
import { sqliteStore } from './store.js'

const fresh = freshFiles()

test('a write that is refused among others undoes itself alone, whether or not one was refused before', async () => {
  const store = await sqliteStore(fresh())
  const conversations = Array.from({ length: 8 }, (_, i) => `c${i}`)
  for (const id of conversations) await store.create('w', { id, at })
  for (let round = 0; round < 40; round++) {
    const isCalm = round > 3 && round < 30
    const written = await Promise.allSettled(
      conversations.map((id, i) =>
        store.commit('w', id, [
          { do: 'append', entries: [say(`${id}-${round}`, 'words')], options: { branch: 'main', at } },
          { do: 'emit', events: [{ type: 'told', data: { round } }], at },
          // what came before the refusal must go with it
          { do: 'put-record', record: { kind: 'k', id, body: round, at, ...(i === 5 && !isCalm && { expect: 99 }) } },
        ]),
      ),
    )
    expect(written.map(({ status }) => status === 'fulfilled')).toEqual(conversations.map((_, i) => isCalm || i !== 5))
  }
  for (const [i, id] of conversations.entries()) {
    const rounds = Array.from({ length: 40 }, (_, round) => round).filter(
      (round) => i !== 5 || (round > 3 && round < 30),
    )
    const ids = rounds.map((round) => `${id}-${round}`)
    expect((await store.window('w', id, 'main', {})).entries.map((entry) => entry.id)).toEqual(ids)
    expect((await store.events('w', id, 0, 100)).events.map(({ data }) => data)).toEqual(
      rounds.map((round) => ({ round })),
    )
    expect((await store.verify('w', id)).ok).toBe(true)
  }
  await store.close()
})
