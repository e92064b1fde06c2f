// The part of F-04 that runs in a process of its own: the files of a driver are only surely closed when it ends.
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { audit } from './lib/audit.mjs'
import { at, entryOf, textOf } from './lib/dice.mjs'
import { logOf } from './lib/stores.mjs'

const refusals = 100

/** Fills the disk, is refused, reads on, and writes again once there is room; on one connection all the while. */
export async function overflow({ store, seed, name, sizes, ballast, size }) {
  await store.create('w', { id: 'c', at })
  writeFileSync(ballast, Buffer.alloc(size, 1))
  const history = { acks: [], tried: new Map(), refused: [] }
  const codes = {}
  let count = 0
  let reads = 0
  const append = async (id) => {
    history.tried.set(id, 0)
    const options = { branch: 'main', at, key: `key-${id}` }
    const { entries } = await store.append('w', 'c', [entryOf(seed, id, sizes)], options)
    history.acks.push({ id, seq: entries[0].seq })
  }
  // on and on past the first refusal: smaller entries may still fit
  while (history.refused.length < refusals && count < 5_000) {
    const id = `${name}-${count++}`
    try {
      await append(id)
    } catch (error) {
      codes[error.code] = (codes[error.code] ?? 0) + 1
      history.refused.push(id)
      const last = history.acks.at(-1).id
      const { head } = await store.window('w', 'c', 'main', { entries: 5 })
      if (head.id === last && head.text === textOf(seed, last, sizes)) reads++
    }
  }
  const acked = history.acks.length
  const before = audit({ seed, sizes, ...history }, await logOf(store))
  rmSync(ballast)
  const begun = performance.now()
  const [first, ...others] = history.refused.slice(0, 6)
  for (;;) {
    const isDone = await append(first).then(
      () => true,
      () => false,
    )
    if (isDone || performance.now() > begun + 5_000) break
    await pause(1)
  }
  const recoveryMs = Math.round((performance.now() - begun) * 10) / 10
  for (const id of others) await append(id)
  history.refused = history.refused.slice(6)
  const after = audit({ seed, sizes, ...history }, await logOf(store))
  const findings = Object.fromEntries(Object.entries(after).map(([key, value]) => [key, value + before[key]]))
  const { ok } = await store.verify('w', 'c')
  return { acked, refused: refusals, reads, recoveryMs, codes, findings, verified: ok }
}
