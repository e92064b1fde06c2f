import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

describe('what is named', () => {
  test('a file that is not there is not made', async () => {
    const ran = await at.tl(['list', '--db', join(at.folder, 'none.db')])
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('There is no database')
    await expect(readFile(join(at.folder, 'none.db'))).rejects.toThrow('ENOENT')
  })
})

test('list has the newest first, whole ids and times in ISO', async () => {
  const { items, next_cursor } = await at.json(['list', '-n', '1'])
  expect(next_cursor).toEqual(expect.any(String))
  expect(items).toMatchObject([{ id: 'tea', title: 'Tea', entries: 6 }])
  const { stdout } = await at.tl(['list', '-q', 'templ'])
  expect(stdout).toMatch(/^id +when +entries +title\ntemplate +2026-03-01 \d\d:\d\dZ +2 +A template\n$/)
})

test('show draws branches as git log does', async () => {
  const { stdout } = await at.tl(['show', 'tea', '--branches'])
  expect(stdout.replaceAll(/ {2}2026\S+ \S+$/gm, '')).toBe(`* 6 assistant (cheaper)  Yes, it is.
* 5 user  Is green tea cheaper?
| * 4 assistant (main)  Half oxidised.
| * 3 user  What is oolong?
|/
* 2 assistant  Loose leaf. It is the cheapest by far. It is the cheapest by far.…
* 1 user  Tea for twelve.
`)
})

test('search marks the words, and narrows by role, time and conversation', async () => {
  expect((await at.tl(['search', 'green', 'tea'])).stdout).toContain('Is «green» «tea» cheaper?')
  const { items } = await at.json(['search', 'tea', '--role', 'user', '--in', 'tea'])
  expect(items).toHaveLength(2)
  expect((await at.json(['search', 'tea', '--since', '1h'])).items).toEqual([])
  expect(await at.tl(['search', 'tea', '--since', 'soon'])).toMatchObject({ code: 2 })
})

test('fork makes a branch at a message, and a name that is taken is a conflict', async () => {
  expect(await at.tl(['fork', 'tea', '--at', '2', '--name', 'mild'])).toMatchObject({ code: 0, stdout: 'mild\n' })
  expect(await at.tl(['fork', 'tea', '--at', '2', '--name', 'mild'])).toMatchObject({ code: 4, stdout: '' })
  expect(await at.tl(['fork', 'tea', '--at', '2'])).toMatchObject({ stdout: 'fork-2\n' })
  expect(await at.tl(['fork', 'tea', '--at', '99'])).toMatchObject({ code: 3 })
})

test('backup copies the file while another has it open', async () => {
  const store = await sqliteStore(at.db)
  const copy = join(at.folder, 'copy.db')
  expect(await at.tl(['backup', copy])).toMatchObject({ code: 0 })
  await store.close()
  expect(await at.tl(['backup', copy])).toMatchObject({ code: 4 })
  expect((await at.tl(['show', 'tea', '--raw', '--db', copy])).stdout).toContain('Half oxidised.')
  const { code, stderr } = await at.tl(['backup', 'x.db', '--db', 'postgres://me:secret@host/name'])
  expect(code).toBe(1)
  expect(stderr).toContain('pg_dump')
  expect(stderr).not.toContain('secret')
})
