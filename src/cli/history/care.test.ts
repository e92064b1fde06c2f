import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../store/sqlite/driver.js'
import { build, run } from '../cli.fixture.js'
import { filled } from './care.fixture.js'

beforeAll(build, 120_000)

test('verify, doctor and backup do not bless a file that lost a message (B2)', async () => {
  const path = await filled()
  expect(await run(['verify', '--all', '--db', path])).toMatchObject({ code: 0 })
  const db = await openDatabase(path)
  db.exec("pragma foreign_keys = off; delete from entry where id = 'e4'; update branch set head_id = 'e3'")
  db.close()
  const verdict = await run(['verify', '--all', '--db', path])
  expect([verdict.code, verdict.stdout]).toEqual([1, expect.stringContaining('it has 4 entries, and had 5')])
  expect((await run(['doctor', '--db', path])).stdout).toContain('it has 4 entries, and had 5')
  const copy = join(dirname(path), 'copy.db')
  expect((await run(['backup', copy, '--db', path])).code).toBe(1)
  expect(readdirSync(dirname(path)).filter((name) => name.includes('copy'))).toEqual([])
})

describe('restore', () => {
  test('puts a backup back, and moves what is there aside only when asked', async () => {
    const path = await filled()
    const copy = join(dirname(path), 'copy.db')
    expect((await run(['backup', copy, '--db', path])).code).toBe(0)
    writeFileSync(path, 'rubbish')
    expect((await run(['restore', copy, '--db', path])).code).toBe(4)
    expect(readFileSync(path, 'utf8')).toBe('rubbish')
    expect(await run(['restore', copy, '--db', path, '--force'])).toMatchObject({ code: 0 })
    expect((await run(['verify', '--all', '--db', path])).code).toBe(0)
    expect(readdirSync(dirname(path)).some((name) => name.startsWith('log.db.before-'))).toBe(true)
  })
})

test('restore makes the folder that was lost with the database, for its owner alone (issue 21)', async () => {
  const path = await filled()
  const folder = dirname(path)
  const copy = join(folder, 'copy.db')
  await run(['backup', copy, '--db', path])
  const lost = join(folder, 'lost', 'deeper', 'chat.db')
  expect(await run(['restore', copy, '--db', lost])).toMatchObject({ code: 0 })
  expect(statSync(join(folder, 'lost', 'deeper')).mode & 0o777).toBe(0o700)
  expect(statSync(lost).mode & 0o777).toBe(0o600)
})

test('an incremental backup adds what is new, and restore puts it all together', async () => {
  const path = await filled()
  const copy = join(dirname(path), 'daily.db')
  const more = async () => {
    const { code, stdout } = await run(['backup', copy, '--incremental', '--json', '--db', path])
    expect(code).toBe(0)
    return JSON.parse(stdout) as { readonly file: string; readonly bytes: number }
  }
  const whole = await more()
  expect(whole.file).toBe(copy)
  const state = async () => (await run(['export', '--all', '--db', path])).stdout
  const first = await state()
  expect((await run(['pin', 'c', '--db', path])).code).toBe(0)
  const part = await more()
  expect(part.file).toBe(`${copy}.1`)
  expect(part.bytes).toBeLessThan(whole.bytes / 2)
  const second = await state()
  expect(second).not.toBe(first)
  writeFileSync(path, 'rubbish')
  expect(await run(['restore', copy, '--force', '--db', path])).toMatchObject({ code: 0 })
  expect(await state()).toBe(second)
  expect((await run(['verify', '--all', '--db', path])).code).toBe(0)
  expect(readdirSync(dirname(path)).filter((name) => /\.(old|new|partial|whole)$/.test(name))).toEqual([])
})
