// A process that writes to a store and says so on its standard output, one JSON array a line, as soon as it knows.
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { at, between, diceOf, entryOf } from './lib/dice.mjs'
import { integrityOf, openDatabase, openStore, restore, salvage } from './lib/stores.mjs'
import { overflow } from './overflow.mjs'

const job = JSON.parse(process.argv[2])
const { mode, kind = 'sqlite', target, seed, name, sizes, options } = job
const now = () => Number(process.hrtime.bigint())
/** Goes straight to the pipe: what is said here is out, whatever happens to the process next. */
const say = (...word) => writeSync(1, `${JSON.stringify(word)}\n`)
const codeOf = (error) => (error?.name === 'HistoryError' || error?.issues ? error.code : `untyped: ${error?.message}`)

const modes = { burst, few, steady, bare, brimful, insist, mixed, maintain }
await modes[mode]()

async function opened() {
  say('opening')
  const store = await openStore(kind, target, options)
  await store.create('w', { id: 'c', at }).catch((error) => {
    if (error.code !== 'id_conflict') throw error
  })
  say('ready')
  return store
}

async function append(store, id, more = {}) {
  const start = now()
  say('sent', id, start)
  const done = await store.append('w', 'c', [entryOf(seed, id, sizes)], {
    branch: 'main',
    at,
    key: `key-${id}`,
    ...more,
  })
  say('ack', id, done.entries[0].seq, start, now(), done.repeated)
  return done
}

/** Retries what is unknown, then goes on with new entries until it is killed. */
async function burst() {
  await warm()
  const store = await opened()
  const retry = job.retry.toReversed()
  let next = 0
  const lane = async () => {
    for (;;) {
      const id = retry.pop() ?? `${name}-${next++}`
      await append(store, id).catch((error) => say('error', id, codeOf(error)))
    }
  }
  await Promise.all(Array.from({ length: job.width }, lane))
}

/** Code that runs for the first time is slow: the kill is to hit the disk, not the compiler. */
async function warm() {
  const store = await openStore('sqlite', ':memory:')
  await store.create('w', { id: 'c', at })
  for (let i = 0; i < 50; i++) await store.append('w', 'c', [entryOf(seed, `warm-${i}`, sizes)], { branch: 'main', at })
  await store.close()
}

/** A few appends one after the other, each tried once; a failure is said and the next one is tried. */
async function few() {
  try {
    const store = await opened()
    for (let i = 0; i < job.count; i++)
      await append(store, `${name}-${i}`).catch((error) => say('error', `${name}-${i}`, codeOf(error)))
    await store.feed('w', 'c', 0, 1_000).catch((error) => say('error', 'feed', codeOf(error)))
    await store.close().catch((error) => say('error', 'close', codeOf(error)))
  } catch (error) {
    say('error', 'open', codeOf(error))
  }
}

/** One piece of maintenance, from its first write to its last. */
async function maintain() {
  const { work, other } = job
  if (work === 'repair' || work === 'restore') {
    say('begun')
    await (work === 'repair' ? salvage(target, other) : restore(other, target))
    return say('done')
  }
  const store = await openStore(kind, target)
  await store.get('w', 'c')
  say('begun')
  if (work === 'backup') await store.backup(other)
  if (work === 'vacuum') await store.compact()
  if (work === 'delete') await store.remove('w', 'gone')
  if (work === 'reindex')
    for (let cursor; cursor !== null; )
      cursor = (await store.reindex('w', { limit: 100, ...(cursor ? { cursor } : null) })).cursor
  say('done')
  await store.close()
}

async function steady() {
  const store = await opened()
  const each = job.count / job.width
  const loop = async (lane) => {
    for (let i = 0; i < each; i++) await append(store, `${name}-${lane}-${i}`)
  }
  await Promise.all(Array.from({ length: job.width }, (_, lane) => loop(lane)))
  await store.close()
}

/** No store: rows in a file whose commits do not wait for the disk. The check of the order must catch it. */
async function bare() {
  const db = await openDatabase(target)
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; create table t (a text)')
  for (let i = 0; i < job.count; i++) {
    db.run('insert into t (a) values (:a)', { a: entryOf(seed, `${name}-${i}`, sizes).text })
    say('ack', `${name}-${i}`)
  }
  db.close()
}

async function brimful() {
  const store = await openStore(kind, target)
  const result = await overflow({ ...job, store })
  await store.close()
  say('result', { ...result, integrity: await integrityOf(target) })
}

/** Makes each call until it is answered, as a client does; ends when its standard input does. */
async function insist() {
  const store = await opened()
  let isGoing = true
  process.stdin.on('end', () => {
    isGoing = false
  })
  process.stdin.resume()
  const loop = async (lane) => {
    for (let i = 0; isGoing; i++) {
      const id = `${name}-${lane}-${i}`
      const start = now()
      say('sent', id, start)
      const entry = entryOf(seed, id, sizes)
      const options = { branch: 'main', at, ...(i % 2 ? { key: `key-${id}` } : null) }
      for (let wait = 5; ; wait = Math.min(wait * 2, 200))
        try {
          const { entries } = await store.append('w', 'c', [entry], options)
          say('ack', id, entries[0].seq, start, now())
          break
        } catch (error) {
          say('error', id, codeOf(error))
          if (error.code !== 'unavailable') throw error
          await pause(wait)
        }
    }
  }
  await Promise.all(Array.from({ length: job.width }, (_, lane) => loop(lane)))
  await store.close()
}

/** Every kind of operation, from several writers at once. */
async function mixed() {
  const store = await opened()
  const each = Math.floor(job.count / job.width)
  const lane = async (lane) => {
    const dice = diceOf(`${seed}/${name}/${lane}`)
    const mine = []
    let last = 0
    const wrote = (id, { entries }) => {
      last = entries[0].seq
      mine.push({ id, seq: last })
    }
    const does = {
      append: async (id) => wrote(id, await append(store, id)),
      // on the head as it was just now: another writer may have moved it
      expect: async (id) => {
        const expect = (await store.window('w', 'c', 'main', { entries: 1 })).head?.id ?? null
        try {
          const done = await append(store, id, { expect })
          if (done.entries[0].parent !== expect)
            say('fault', `${id} stands on ${done.entries[0].parent}, not ${expect}`)
          wrote(id, done)
        } catch (error) {
          if (error.code !== 'head_moved') throw error
          say('refused', id)
        }
      },
      // a sibling of an older entry, on a branch of its own
      edit: async (id) => {
        const from = mine[Math.floor(dice() * mine.length)].id
        const done = await append(store, id, { branch: `edit-${id}`, from })
        if (done.entries[0].parent !== from) say('fault', `${id} does not stand on ${from}`)
        wrote(id, done)
      },
      read: async () => {
        const after = Math.max(0, last - 20)
        const start = now()
        const seen = await store.feed('w', 'c', after, 1_000)
        say(
          'read',
          after,
          seen.map((entry) => entry.id),
          seen.length < 1_000,
          start,
          now(),
        )
      },
      repeat: async () => {
        const { id, seq } = mine[Math.floor(dice() * mine.length)]
        const key = `again-${id}`
        const again = await store.append('w', 'c', [entryOf(seed, id, sizes)], { branch: 'main', at, key })
        if (!again.repeated || again.entries[0].seq !== seq) say('fault', `${id} was written again`)
      },
      // another conversation comes and goes; its late writer is told so
      remove: async (id) => {
        const entry = (n) => [entryOf(seed, `${id}-${n}`, sizes)]
        await store.create('w', { id, at })
        await store.append('w', id, entry(1), { branch: 'main', at })
        await store.remove('w', id)
        const late = await store.append('w', id, entry(2), { branch: 'main', at }).catch((error) => error.code)
        if (late !== 'gone') say('fault', `a late writer to ${id} was told ${JSON.stringify(late)}`)
      },
    }
    const plan = Object.entries(job.weights)
    for (let i = 0; i < each; i++) {
      const wanted = pick(dice, plan)
      const needs = ['edit', 'repeat'].includes(wanted) && mine.length === 0
      await does[needs ? 'append' : wanted](`${name}-${lane}-${i}`)
    }
  }
  await Promise.all(Array.from({ length: job.width }, (_, i) => lane(i)))
  await store.close()
}

function pick(dice, plan) {
  let left = between(
    dice,
    1,
    plan.reduce((sum, [, weight]) => sum + weight, 0),
  )
  return plan.find(([, weight]) => {
    left -= weight
    return left <= 0
  })[0]
}
