/** A conversation that is made with a key: wherever the server dies, an honest retry works and another body is refused (B11). */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory/store.js'
import { startService } from './host.js'

/** The store of a server that dies after so many writes: what comes later is never done. */
function dyingAfter<T extends object>(store: T, writes: number): { readonly store: T; readonly died: () => boolean } {
  let left = writes
  const dying = new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function' || !/^(create|update|commit|append|put|add|remove)/.test(String(name)))
        return method
      return (...given: unknown[]) => {
        if (left-- > 0) return method.apply(target, given)
        return Promise.reject(new Error('the server died'))
      }
    },
  })
  return { store: dying, died: () => left < 0 }
}

const headers = { 'idempotency-key': 'once' }
const make = (host: Awaited<ReturnType<typeof startService>>, title: string) =>
  host.call('POST', '/api/v1/conversations', { headers, body: { title } })

test('a crash between any two writes of a creation leaves it done or not begun (B11)', async () => {
  for (let writes = 0, died = true; died; writes++) {
    const store = memoryStore()
    const dying = dyingAfter(store, writes)
    const first = await startService({ store: dying.store })
    const answer = await make(first, 'Lisbon')
    died = dying.died()
    if (died) expect(answer.status, `after ${writes} writes`).toBe(500)
    const next = await startService({ store })
    const again = await make(next, 'Lisbon')
    expect([again.status, again.body.title], `after ${writes} writes`).toEqual([expect.toSatisfy(isDone), 'Lisbon'])
    expect((await make(next, 'Porto')).status, `after ${writes} writes`).toBe(422)
    expect((await store.list('default', { limit: 10 })).items).toMatchObject([{ title: 'Lisbon' }])
    await first.stop()
    await next.stop()
  }
})

const isDone = (status: number): boolean => status === 200 || status === 201
