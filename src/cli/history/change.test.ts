import { beforeAll, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

const found = async (id: string) => (await at.json(['call', 'conversations.get', `conversation_id=${id}`])) as object

test('a conversation is renamed, pinned, tagged and archived by a beginning of its id, and each is taken back', async () => {
  expect(await at.tl(['rename', 'te', 'x'])).toMatchObject({ code: 2, stdout: '' })
  expect(await at.tl(['rename', 'tem', 'Fonts', 'and', 'sizes'])).toMatchObject({ code: 0, stdout: '' })
  await at.tl(['pin', 'tem'])
  await at.tl(['tag', 'tem', 'print', 'urgent'])
  await at.tl(['tag', 'tem', 'urgent', '--off'])
  await at.tl(['archive', 'tem'])
  expect(await found('template')).toMatchObject({
    title: 'Fonts and sizes',
    pinned: true,
    tags: ['print'],
    archived: true,
  })
  expect((await at.tl(['archive', 'template', '--off'])).stderr).toContain('“Fonts and sizes” is out of the archive')
  await at.tl(['pin', 'template', '--off'])
  expect(await found('template')).toMatchObject({ pinned: false, archived: false })
  expect(await at.json(['rename', 'template', 'A template'])).toMatchObject({ id: 'template', title: 'A template' })
})

test('nothing is deleted where no one can be asked, unless --yes says so', async () => {
  expect(await at.tl(['delete', 'template'])).toMatchObject({ code: 2, stdout: '' })
  expect(await found('template')).toMatchObject({ id: 'template' })
  expect(await at.tl(['delete', 'template', '--yes'])).toMatchObject({ code: 0 })
  expect((await at.tl(['show', 'template'])).code).toBe(3)
  expect((await at.tl(['delete', 'nobody', '--yes'])).code).toBe(3)
})
