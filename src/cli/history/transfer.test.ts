import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { chatgptConversation } from '../../transfer/import.fixture.js'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
let file: string
beforeAll(async () => {
  await build()
  at = await stored()
  file = join(at.folder, 'conversations.json')
  const said = [
    { id: 'u', parent: 'root', text: 'Which tea is strongest?' },
    { id: 'a', parent: 'u', role: 'assistant', text: 'Pu-erh.' },
  ]
  await writeFile(file, JSON.stringify([chatgptConversation('c', said), { title: 'A folder' }]))
}, 120_000)

describe('import', () => {
  test('tries, imports, finds and knows again', async () => {
    const dry = await at.tl(['import', file, '--dry-run'])
    expect(dry.stdout).toContain('1 conversations: 1 new, 0 grown, 0 unchanged (nothing was written)')
    const first = await at.tl(['import', file])
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toContain('2 messages, 2 added; 1 branches, 0 files')
    expect(first.stdout).toContain('1 × a folder or another item without messages')
    expect((await at.tl(['search', 'strongest'])).stdout).toContain('Title of c')
    const again = await at.json(['import', file])
    expect(again).toMatchObject({ schema: 'throughline.import/1', messages: { added: 0 } })
  })

  test('takes standard input', async () => {
    const { code, stdout } = await at.tl(['import', '-'], '## User\n\nHello\n\n## Assistant\n\nHi.\n')
    expect([code, stdout.split('\n')[0]]).toEqual([0, '1 conversations: 1 new, 0 grown, 0 unchanged'])
  })

  test.each([
    [['import'], 2, 'import needs a PATH'],
    [['import', 'nowhere.zip'], 3, 'there is no file or folder'],
    [['import', 'x', '--from', 'chatgtp'], 2, 'from'],
  ])('%j is refused with %i', async (args, code, words) => {
    const ran = await at.tl(args)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(words)
  })
})

describe('export', () => {
  test.each([
    ['html', '<h1>Tea</h1>'],
    ['openai', '{"messages":[{"role":"user","content":"Tea for twelve."}'],
    ['anthropic', '"role":"user"'],
    ['sharegpt', '"from":"human"'],
    ['chatgpt', '"mapping"'],
  ])('--to %s', async (form, words) => {
    const { code, stdout } = await at.tl(['export', 'tea', '--to', form])
    expect(code).toBe(0)
    expect(stdout).toContain(words)
  })

  test('--all comes back as the same bytes from another database', async () => {
    const archive = join(at.folder, 'all.jsonl')
    const other = ['--db', join(at.folder, 'other.db')]
    expect(await at.tl(['export', '--all', '-o', archive])).toMatchObject({ code: 0 })
    expect(await at.tl(['import', archive, ...other])).toMatchObject({ code: 0 })
    const again = join(at.folder, 'again.jsonl')
    expect(await at.tl(['export', '--all', '-o', again, ...other])).toMatchObject({ code: 0 })
    expect(await readFile(again, 'utf8')).toBe(await readFile(archive, 'utf8'))
  })
})
