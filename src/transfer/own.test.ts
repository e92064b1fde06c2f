/** Our own exports when they are not as we wrote them. */
import { describe, expect, test } from 'vitest'
import { agents } from './agents.fixture.js'
import { chats } from './chats.fixture.js'
import { chatgptConversation, lines, transferDesk } from './import.fixture.js'
import { formatNames } from './kit/contract.js'
import { others } from './others.fixture.js'
import { inArchive } from './out/json.js'

const said = (id: string) => chatgptConversation(id, [{ id: 'u', parent: 'root', text: `Hello ${id}` }])

async function archive(): Promise<Record<string, unknown>[]> {
  const desk = await transferDesk()
  await desk.take(await desk.file('c.json', [said('c'), said('d')]))
  let text = ''
  for await (const piece of inArchive(desk.store, 'default')) text += piece
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('an archive', () => {
  test('with a message too few for its conversation gives the other one', async () => {
    const records = await archive()
    const desk = await transferDesk()
    const first = records.findIndex((one) => 'entry' in one)
    const report = await desk.take(await desk.file('a.jsonl', lines(...records.toSpliced(first, 1))))
    expect(report.conversations).toMatchObject({ found: 1, added: 1 })
    expect(report.skipped).toMatchObject([{ reason: 'a conversation that is not whole', count: 1 }])
  })

  test('with a message of a strange shape gives the other one', async () => {
    const records = await archive()
    const desk = await transferDesk()
    const first = records.findIndex((one) => 'entry' in one)
    const strange = { entry: { ...(records[first]?.entry as object), body: { kind: 'message', role: 'poet' } } }
    const report = await desk.take(await desk.file('a.jsonl', lines(...records.toSpliced(first, 1, strange))))
    expect(report.conversations).toMatchObject({ found: 1, added: 1 })
    expect(report.skipped).toMatchObject([{ reason: expect.stringContaining('its shape is not that of an export') }])
  })

  test('of what is here with other words changes nothing here, and says so', async () => {
    const records = await archive()
    const desk = await transferDesk()
    await desk.take(await desk.file('a.jsonl', lines(...records)))
    const before = await desk.all()
    const other = JSON.parse(JSON.stringify(records).replaceAll('Hello c', 'Goodbye')) as object[]
    const report = await desk.take(await desk.file('b.jsonl', lines(...other)))
    expect(report.conversations).toMatchObject({ failed: 1, unchanged: 1, added: 0 })
    expect(report.skipped).toMatchObject([{ reason: 'the conversation is here with other content' }])
    expect(await desk.all()).toEqual(before)
  })
})

test('every format of others has three cases or more', () => {
  const cases = [...chats, ...agents, ...others]
  const few = formatNames.filter(
    (name) => name !== 'throughline' && cases.filter((one) => one.format === name).length < 3,
  )
  expect(few).toEqual([])
})
