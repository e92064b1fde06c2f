import { appendFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { envOf } from '../engine/writing.js'
import { codeRecord, lines, transferDesk } from './import.fixture.js'
import { watchFrom } from './watch.js'

test('a watched folder brings in what is added to it, and ends when it is told to', async () => {
  const desk = await transferDesk()
  const path = await desk.file(
    'projects/-app/s.jsonl',
    lines(codeRecord('1', null, 'user', { message: { role: 'user', content: 'Fix it' } })),
  )
  const ends = new AbortController()
  const added: number[] = []
  const rounds = watchFrom(
    { store: desk.store, workspace: 'default', env: envOf() },
    { path: desk.folder, signal: ends.signal },
  )
  for await (const event of rounds) {
    if (event.type !== 'report') continue
    if (event.messages.added > 0) added.push(event.messages.added)
    if (added.length === 1)
      await appendFile(path, lines(codeRecord('2', '1', 'user', { message: { role: 'user', content: 'And this' } })))
    if (added.length === 2) ends.abort()
  }
  expect(added).toEqual([1, 1])
  expect((await desk.entries('claude-code-s')).map(({ text }) => text)).toEqual(['Fix it', 'And this'])
}, 60_000)
