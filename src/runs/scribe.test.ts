import { expect, test } from 'vitest'
import type { NewEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import { refusal } from '../store/shared/refuse.js'
import { openScribe } from './scribe.js'

const at = '2026-01-01T00:00:00.000Z'

test('words are told once, though the answer to their write is lost and the look after it fails', async () => {
  const base = memoryStore()
  await base.create('w', { id: 'c', at })
  const { epoch } = await base.openDraft('w', 'c', { id: 'd', branch: 'main', parent: null, leaseSeconds: 15, at })
  const lost = { commit: true, events: true }
  const store: Store = {
    ...base,
    async commit(...given) {
      const done = await base.commit(...given)
      if (!lost.commit) return done
      lost.commit = false
      throw refusal('unavailable', 'the answer is lost')
    },
    async events(...given) {
      if (!lost.events) return base.events(...given)
      lost.events = false
      throw refusal('unavailable', 'the line is cut')
    },
  }
  const waiting: NewEvent[] = [{ type: 'text-delta', data: { run: 'd', text: 'word' } }]
  const scribe = openScribe({
    ...{ source: { store, workspace: 'w', conversation: 'c' }, draft: { id: 'd', epoch }, leaseSeconds: 15, last: 0 },
    now: () => at,
    gather: () => waiting.splice(0),
    body: () => null,
    lost: (error) => {
      throw error
    },
  })
  scribe.nudge()
  await expect.poll(() => scribe.last).toBe(1)
  scribe.leave()
  expect(lost).toEqual({ commit: false, events: false })
  expect((await base.events('w', 'c', 0, 9)).events.map(({ type }) => type)).toEqual(['text-delta'])
})
