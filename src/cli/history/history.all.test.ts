import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../store/sqlite/driver.js'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

describe('what is named', () => {
  test.each([
    ['tea', 'tea-1'],
    ['@last', 'tea-1'],
    ['tem', 'template-1'],
  ])('%s is found by %s', async (name, id) => {
    const { items } = await at.json(['show', name])
    expect(items).toMatchObject({ 0: { id } })
  })

  test.each([
    ['te', 2, 'could be any of 2'],
    ['coffee', 3, 'there is no conversation coffee'],
  ])('%s is refused with %i', async (name, code, words) => {
    const ran = await at.tl(['show', name])
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(words)
  })
})

test('show --raw gives the words alone', async () => {
  expect(await at.tl(['show', 'tea', '--raw', '-n', '1', '--branch', 'cheaper'])).toMatchObject({
    stdout: 'Yes, it is.\n',
    stderr: '',
  })
})

test('export gives a branch as Markdown or everything as JSON, and writes over nothing', async () => {
  const { stdout } = await at.tl(['export', 'tea', '--branch', 'cheaper'])
  expect(stdout).toMatch(/^# Tea\n\n## User\n\nTea for twelve\.\n/)
  const file = join(at.folder, 'tea.json')
  expect(await at.tl(['export', 'tea', '--to', 'json', '-o', file])).toMatchObject({ code: 0, stdout: '' })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ schema: 'throughline.conversation/1' })
  expect(await at.tl(['export', 'tea', '-o', file])).toMatchObject({ code: 4 })
})

test('verify finds one changed byte', async () => {
  expect(await at.tl(['verify', '--all'])).toMatchObject({ code: 0 })
  const copy = join(at.folder, 'broken.db')
  await at.tl(['backup', copy])
  const db = await openDatabase(copy)
  db.exec(`update entry set text = 'Half oxidized.' where id = 'tea-4'`)
  db.close()
  const { code, stdout } = await at.tl(['verify', 'tea', '--db', copy])
  expect(code).toBe(1)
  expect(stdout).toContain('tea 4: the content does not match its hash')
  expect(await at.tl(['verify'])).toMatchObject({ code: 2 })
})
