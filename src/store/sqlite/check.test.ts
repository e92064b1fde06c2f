/** The checker is checked: whatever is changed in a file is noticed, or changes nothing that can be read (B2). */
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { text } from '../../core/message/item.js'
import { exportOf } from '../../engine/export.js'
import { openHistory } from '../../engine/history.js'
import { rememberSources } from '../../engine/sources.js'
import { verifyFile } from './backup.js'
import { openDatabase } from './driver.js'
import { freshFiles } from './file.fixture.js'
import { backupMore, putTogether } from './increment.js'
import { salvage } from './salvage.js'
import { sqliteStore } from './store.js'

const file = freshFiles()
/** `npm run store:damage` is the full count, 1,000 flips and 200 edits: THROUGHLINE_FLIPS=1000 THROUGHLINE_EDITS=200. */
const flips = Number(process.env.THROUGHLINE_FLIPS ?? 40)
const edits = Number(process.env.THROUGHLINE_EDITS ?? 46)
const at = '2026-01-01T00:00:00.000Z'

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) | 0
    const mixed = (state ^ (state + Math.imul(state ^ (state >>> 7), state | 61))) >>> 0
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

let whole: string
let said: string

beforeAll(async () => {
  whole = file()
  const store = await sqliteStore(whole)
  for (let n = 0; n < 4; n++) {
    const place = { store, workspace: n === 3 ? 'other' : 'w', conversation: `c${n}`, title: `Conversation ${n}` }
    const history = await openHistory(place)
    for (let turn = 0; turn < 6; turn++) {
      await history.append({ role: 'user', content: `Question ${turn} about the harbour at ${n}, please.` })
      const call = { type: 'call', id: `k${turn}`, name: 'look', input: { turn }, outcome: { state: 'pending' } }
      await history.append({ role: 'assistant', parts: [text(`I look it up ${turn}.`), call] })
      await history.append({
        role: 'tool',
        tool_call_id: `k${turn}`,
        content: `The answer is ${turn * n}. `.repeat(20),
      })
      await history.append({ role: 'assistant', content: `It is ${turn * n}.` })
    }
    const path = await history.path()
    await history.fork(path[5]?.id as string, 'aside')
    await history.append({ role: 'user', content: 'On the other hand?' }, { branch: 'aside' })
    await history.redact(path[8]?.id as string)
    const bytes = new Uint8Array(3_000).fill(n + 1)
    const { sha256 } = await store.putBlob(place.workspace, place.conversation, { bytes, mediaType: 'image/png' })
    const source = { kind: 'ref', id: sha256 }
    await history.append({ role: 'user', parts: [{ type: 'file', mediaType: 'image/png', source }] })
    await store.putReceipt(place.workspace, {
      id: `r${n}`,
      conversation: place.conversation,
      entry: null,
      at,
      body: { n },
    })
    await store.search(place.workspace, { text: 'harbour', limit: 5 })
  }
  await store.compact()
  await store.close()
  said = await everything(whole)
})

/** All that a reader gets out of a file. */
async function everything(path: string): Promise<string> {
  const store = await sqliteStore(path, { readOnly: true })
  try {
    const all: unknown[] = []
    for (const workspace of ['w', 'other'])
      for (const { id } of (await store.list(workspace, { limit: 100 })).items)
        all.push(await exportOf(rememberSources(store)(workspace, id)))
    return JSON.stringify(all)
  } finally {
    await store.close()
  }
}

type Verdict = 'noticed' | 'harmless' | 'unnoticed'

async function judge(path: string): Promise<Verdict> {
  try {
    if ((await verifyFile(path)).faults.length > 0) return 'noticed'
  } catch {
    return 'noticed'
  }
  const now = await everything(path).catch(() => 'it cannot be read')
  return now === said ? 'harmless' : 'unnoticed'
}

const fresh = (): string => {
  const path = file()
  copyFileSync(whole, path)
  return path
}

test('a file as it was written has no faults, and looking at it changes not one byte', async () => {
  const before = readFileSync(whole)
  expect(await verifyFile(whole)).toMatchObject({ conversations: 4, faults: [] })
  expect(readFileSync(whole).equals(before)).toBe(true)
})

test(`each of ${flips} flipped bits is noticed or harmless (B2)`, async () => {
  const random = numbers(20_261_116)
  const bytes = readFileSync(whole)
  const path = file()
  const counts = { noticed: 0, harmless: 0, unnoticed: 0 }
  const missed: number[] = []
  for (let n = 0; n < flips; n++) {
    const bit = random(bytes.length * 8)
    const [place, mask] = [bit >> 3, 1 << (bit & 7)]
    bytes[place] = (bytes[place] as number) ^ mask
    writeFileSync(path, bytes)
    bytes[place] = (bytes[place] as number) ^ mask
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
    const verdict = await judge(path)
    counts[verdict]++
    if (verdict === 'unnoticed') missed.push(bit)
  }
  if (flips > 100) console.info(`${flips} flips`, counts)
  expect(missed).toEqual([])
}, 600_000)

/** Each changes one thing; `n` picks which. */
const changes: readonly (readonly [string, (n: number) => string])[] = [
  [
    'the tail is gone',
    (n) => `delete from entry where rowid = (select rowid from entry order by seq desc limit 1 offset ${n % 4})`,
  ],
  ['an entry is gone', (n) => `delete from entry where rowid = (select rowid from entry limit 1 offset ${n % 90})`],
  [
    'a branch is elsewhere',
    (n) =>
      `update branch set head_id = (select id from entry where entry.conversation_id = branch.conversation_id limit 1 offset ${n % 5}) where conversation_id = 'c${n % 4}' and name = 'main'`,
  ],
  [
    'a branch has another name',
    (n) => `update branch set name = 'side' where name = 'aside' and conversation_id = 'c${n % 4}'`,
  ],
  ['a branch is gone', (n) => `delete from branch where name = 'aside' and conversation_id = 'c${n % 4}'`],
  [
    'a change has other seconds',
    (n) => `update conversation set updated_at = substr(updated_at, 1, 17) || '0${n % 10}.5Z' where id = 'c${n % 4}'`,
  ],
  [
    'a birthday is another',
    (n) => `update conversation set created_at = '2001-01-01T00:00:00.000Z' where id = 'c${n % 4}'`,
  ],
  [
    'a title is another',
    (n) => `update conversation set title = 'Other', revision = revision + 1 where id = 'c${n % 4}'`,
  ],
  ['a setting is another', (n) => `update conversation set meta = '{"model":"x"}' where id = 'c${n % 4}'`],
  ['a conversation is pinned', (n) => `update conversation set pinned = 1 where id = 'c${n % 4}'`],
  [
    'a count is wrong',
    (n) => `update conversation set entries = entries - 1, revision = revision + 1 where id = 'c${n % 4}'`,
  ],
  ['a file has other bytes', (n) => `update blob set bytes = zeroblob(3000) where rowid = ${1 + (n % 4)}`],
  ['a file has another type', (n) => `update blob set media_type = 'text/html' where rowid = ${1 + (n % 4)}`],
  ['a file is gone', (n) => `delete from blob where rowid = ${1 + (n % 4)}`],
  ['a file is not named any more', (n) => `delete from blob_ref where conversation_id = 'c${n % 4}'`],
  [
    'a redaction is forged',
    (n) =>
      `update entry set redacted = 1, text = '', body = '{"kind":"message","role":"user","parts":[]}', meta = null where seq = ${1 + 4 * (n % 5)} and conversation_id = 'c${n % 4}'`,
  ],
  ['a redaction is undone', (n) => `update entry set redacted = 0 where redacted and conversation_id = 'c${n % 4}'`],
  [
    'words are others',
    (n) => `update entry set text = 'other words' where seq = ${1 + (n % 20)} and conversation_id = 'c${n % 4}'`,
  ],
  ['an answer is to another call', (n) => `update entry set call_id = 'k0' where call_id = 'k${1 + (n % 5)}'`],
  [
    'a parent is another',
    (n) => `update entry set parent_seq = 1 where seq = ${5 + (n % 10)} and conversation_id = 'c${n % 4}'`,
  ],
  ['a receipt is another', (n) => `update receipt set body = '{"n":99}' where id = 'r${n % 4}'`],
  [
    'the index is short',
    (n) => `delete from search_entry where rowid = (select rowid from search_entry limit 1 offset ${n % 20})`,
  ],
  ['a call is forgotten', (n) => `delete from call where call_id = 'k${n % 6}' and conversation_id = 'c${n % 4}'`],
  ['a whole conversation has no rows', (n) => `delete from entry where conversation_id = 'c${n % 4}'`],
]

test(`each of ${edits} changes to rows is noticed or harmless (B2)`, async () => {
  const missed: string[] = []
  for (let n = 0; n < edits; n++) {
    const [what, change] = changes[n % changes.length] as (typeof changes)[number]
    const path = fresh()
    const db = await openDatabase(path)
    db.exec('pragma foreign_keys = off')
    db.exec(change(Math.floor(n / changes.length)))
    const { changed } = db.get('select total_changes() as changed') as { changed: number }
    db.close()
    if (changed === 0) missed.push(`${what}: nothing was changed`)
    if ((await judge(path)) === 'unnoticed') missed.push(`${what} (${n})`)
    for (const beside of ['', '-wal', '-shm']) rmSync(path + beside, { force: true })
  }
  expect(missed).toEqual([])
}, 600_000)

describe('a backup (B4)', () => {
  test('is the whole file, its owner’s alone, and passes the check', async () => {
    const store = await sqliteStore(fresh())
    const copy = file()
    await store.backup(copy)
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600')
    expect(await everything(copy)).toBe(said)
    await expect(store.backup(copy)).rejects.toMatchObject({ code: 'id_conflict' })
    await store.close()
  })

  test('of a damaged file is refused, and leaves nothing behind', async () => {
    const path = fresh()
    const db = await openDatabase(path)
    db.exec("pragma foreign_keys = off; delete from entry where seq = 3 and conversation_id = 'c1'")
    db.close()
    const store = await sqliteStore(path)
    const copy = file()
    await expect(store.backup(copy)).rejects.toThrow('damaged')
    expect(() => statSync(copy)).toThrow('ENOENT')
    await store.close()
  })

  test('a file that is not there, or empty, is no database, and none is made of it', async () => {
    const path = file()
    await expect(verifyFile(path)).rejects.toMatchObject({ code: 'not_found' })
    writeFileSync(path, '')
    await expect(verifyFile(path)).rejects.toMatchObject({ code: 'invalid' })
    expect(statSync(path).size).toBe(0)
  })
})

describe('a backup by parts', () => {
  /** The backup, its parts and what the database said at the last one. */
  async function grown(): Promise<{ readonly copy: string; readonly told: string }> {
    const [path, copy] = [fresh(), file()]
    expect(await backupMore(path, copy)).toBe(copy)
    for (const part of ['1', '2', '3']) {
      const store = await sqliteStore(path)
      await (await openHistory({ store, workspace: 'w', conversation: 'c1' })).append({ role: 'user', content: part })
      if (part === '2') await store.remove('w', 'c2')
      await store.close()
      expect(await backupMore(path, copy)).toBe(`${copy}.${part}`)
    }
    return { copy, told: await everything(path) }
  }

  test('is the database as it was at the last part, and parts hold only what changed', async () => {
    const { copy, told } = await grown()
    const to = file()
    await putTogether(copy, to)
    expect(await everything(to)).toBe(told)
    expect(statSync(`${copy}.1`).size).toBeLessThan(statSync(copy).size / 3)
    expect((statSync(`${copy}.1`).mode & 0o777).toString(8)).toBe('600')
  })

  const damages: Readonly<Record<string, (copy: string) => void>> = {
    'a part that is missing': (copy) => rmSync(`${copy}.2`),
    'a flipped bit in a part': (copy) => flip(`${copy}.2`),
    'a flipped bit in the copy': (copy) => flip(copy),
    'a part that was cut': (copy) => writeFileSync(`${copy}.3`, readFileSync(`${copy}.3`).subarray(0, -100)),
    'a part from elsewhere': (copy) => copyFileSync(`${copy}.1`, `${copy}.3`),
  }
  test.each(Object.entries(damages))('with %s is refused', async (_, damage) => {
    const { copy } = await grown()
    damage(copy)
    await expect(putTogether(copy, file())).rejects.toMatchObject({ code: 'invalid' })
  })
})

function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length * 0.7)
  bytes[at] = (bytes[at] ?? 0) ^ 4
  writeFileSync(path, bytes)
}

describe('repair', () => {
  test('of a file without damage loses nothing', async () => {
    const to = file()
    const { lost, conversations } = await salvage(fresh(), to)
    expect([lost, conversations]).toEqual([[], 4])
    expect((await verifyFile(to)).faults).toEqual([])
    const entries = (json: string) =>
      JSON.parse(json).map((one: { entries: unknown; branches: unknown }) => [one.entries, one.branches])
    expect(entries(await everything(to))).toEqual(entries(said))
  })

  test('saves what is left, says what was lost, and what it makes is whole', async () => {
    const path = fresh()
    const db = await openDatabase(path)
    db.exec(
      "pragma foreign_keys = off; delete from entry where seq = 3 and conversation_id = 'c1'; delete from branch where conversation_id = 'c2'",
    )
    db.close()
    const to = file()
    const { lost, conversations } = await salvage(path, to)
    expect(conversations).toBe(4)
    expect(lost.join('\n')).toMatch(/w c1: entry 3\n/)
    expect(lost.join('\n')).toMatch(/w c2: branch main: it ends with entry \d+ now/)
    expect((await verifyFile(to)).faults).toEqual([])
  })
})
