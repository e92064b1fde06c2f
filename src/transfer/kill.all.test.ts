import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWriter, writerScript } from '../store/sqlite/processes.fixture.js'
import { sqliteStore } from '../store/sqlite/store.js'
import { chatgptConversation, transferDesk } from './import.fixture.js'

/** Longer than one batch of entries can be, and some that are short. */
const lengths = [2_500, 10, 3_000, 10, 4_000, 2_500, 10, 3_500]

const script = writerScript(join(import.meta.dirname, 'importer.fixture.ts'))

test('an import that is killed leaves whole conversations and no others, and goes on when it is run again', async () => {
  const desk = await transferDesk()
  const path = await desk.file(
    'conversations.json',
    lengths.map((length, i) => chatgptConversation(`c${i}`, talk(length))),
  )
  const file = `${desk.folder}/a.db`
  for (const wait of [0, 40, 150, 400, 900]) {
    const importer = startWriter(script, [path, file])
    await once(importer.process.stdout as NodeJS.ReadableStream, 'data')
    await setTimeout(wait)
    importer.process.kill('SIGKILL')
    await importer.ended
    expect(await partial(file)).toEqual([])
  }
  const last = startWriter(script, [path, file])
  expect(await last.ended).toMatchObject({ code: 0 })
  expect((await counted(file)).map(({ entries }) => entries).sort()).toEqual([...lengths].sort())
  const again = startWriter(script, [path, file])
  await again.ended
  expect(again.acknowledged.at(-1)).toBe('added 0')
}, 120_000)

test('the check would see a conversation that is not whole', async () => {
  const desk = await transferDesk()
  const path = await desk.file('conversations.json', [chatgptConversation('c0', talk(lengths[0] as number))])
  const file = `${desk.folder}/a.db`
  const importer = startWriter(script, [path, file])
  await importer.ended
  expect(await partial(file)).toEqual([])
  const store = await sqliteStore(file)
  await store.create('default', { id: 'chatgpt-c2', at: '' })
  await store.close()
  expect(await partial(file)).toEqual(['chatgpt-c2 has 0 of 3000'])
})

function talk(length: number) {
  return Array.from({ length }, (_, i) => ({
    ...{ id: `m${i}`, parent: i === 0 ? 'root' : `m${i - 1}`, text: `What was said as number ${i}` },
    ...(i % 2 === 1 && { role: 'assistant' }),
  }))
}

async function counted(file: string) {
  const store = await sqliteStore(file)
  const { items } = await store.list('default', { limit: 200 })
  await store.close()
  return items
}

async function partial(file: string): Promise<string[]> {
  return (await counted(file)).flatMap(({ id, entries }) => {
    const whole = lengths[Number(id.replace('chatgpt-c', ''))]
    return entries === whole ? [] : [`${id} has ${entries} of ${whole}`]
  })
}
