import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHistory } from '../../engine/history.js'
import type { ModelRequest } from '../../models/wire/contract.js'
import { memoryStore } from '../../store/memory/store.js'
import { assistant, liveStage, saying, scripted, sh, stage, user } from '../tasks.fixture.js'
import { collectHistory } from './collect.js'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = { type: 'image', mediaType: 'image/png', data: png }
const link = { type: 'image', mediaType: 'image/png', url: 'https://example.com/screen.png' }
const asked = { ...user('Why is it blue?'), attachments: [picture, link] }

const session = (): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'throughline-images-')), 'session.jsonl')
  const source = { type: 'base64', media_type: 'image/png', data: png }
  const content = [
    { type: 'text', text: 'Why is it blue?' },
    { type: 'image', source },
  ]
  writeFileSync(path, `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`)
  return path
}

test('a picture of a transcript is named in the prompt of a task and comes with it [C-18] [S0-F3]', async () => {
  const { tasks } = stage()
  const conversation_history = await collectHistory(session())
  const { task, warnings } = await tasks.register({ description: 'Make it red', conversation_history })
  const { history, images, text } = await tasks.prompt(task.id)
  expect(warnings.filter(({ severity }) => severity === 'high')).toEqual([])
  expect(history).toContain('Why is it blue?\n    [image: image-1.png]')
  expect(text).not.toContain('not sent')
  expect(images).toEqual([{ name: 'image-1.png', mediaType: 'image/png', source: { kind: 'data', base64: png } }])
})

test('an agent that is a model is given the pictures themselves [C-18] [S0-F3]', async () => {
  const requests: ModelRequest[] = []
  const { tasks } = liveStage({ models: scripted(saying('It is the CSS.'), requests) })
  const { task } = await tasks.register({ description: 'Make it red', conversation_history: [asked, assistant('Hm.')] })
  const { ended } = await tasks.deploy(task.id, { runner: 'model' })
  expect((await ended).state).toBe('completed')
  const parts = requests[0]?.items[0]?.parts ?? []
  expect(parts.filter(({ type }) => type === 'file')).toMatchObject([
    { mediaType: 'image/png', source: { kind: 'data', base64: png } },
    { source: { kind: 'url', url: 'https://example.com/screen.png' } },
  ])
})

test('an agent that is a program finds the pictures where the prompt says, and they go with it [C-18] [S0-F3]', async () => {
  const look = sh(
    'cat > prompt; sed -n "s/^  image-1.png: //p" prompt | tee place | xargs sha256sum; cat place; cat prompt >&2',
  )
  const { tasks } = liveStage({ runners: { look } })
  const client_cwd = mkdtempSync(join(tmpdir(), 'throughline-images-'))
  const { task } = await tasks.register({ description: 'Make it red', client_cwd, conversation_history: [asked] })
  const { agent, ended } = await tasks.deploy(task.id, { runner: 'look' })
  await ended
  const [hash = '', place = ''] = (await tasks.output(agent.id)).text.trim().split('\n')
  expect(hash).toContain(createHash('sha256').update(Buffer.from(png, 'base64')).digest('hex'))
  expect(existsSync(place)).toBe(false)
  const { text } = await tasks.output(agent.id, { stream: 'err' })
  expect(text).toContain('  image-2.png: https://example.com/screen.png')
})

test('pictures of a stored conversation travel too, under every preset [C-18] [S0-F3]', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, workspace: 'w', conversation: 'c' })
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
  await history.append({ role: 'user', content: [{ type: 'text', text: 'Why is it blue?' }, image] })
  const { tasks } = stage({ store })
  for (const preset of ['handoff-user-first', 'handoff-assistant-first', 'handoff-balanced'] as const) {
    const conversation_history = { conversation: 'c' }
    const { task } = await tasks.register({ description: 'Make it red', preset, conversation_history })
    const prompt = await tasks.prompt(task.id)
    expect(prompt.history, preset).toContain('[image: image-1.png]')
    expect(prompt.images, preset).toMatchObject([{ source: { kind: 'data', base64: png } }])
  }
  expect(await collectHistory({ store, workspace: 'w', conversation: 'c' })).toMatchObject([
    { content: 'Why is it blue?', attachments: [{ type: 'image', data: png }] },
  ])
})

test('a picture keeps the name it has, unless another has it or it is no name for a file', async () => {
  const named = (name: string) => ({ ...picture, name })
  const attachments = [named('screen.png'), named('screen.png'), named('../../etc/passwd')]
  const { tasks } = stage()
  const conversation_history = [{ ...user('Look'), attachments }]
  const { task } = await tasks.register({ description: 'x', conversation_history })
  const { images } = await tasks.prompt(task.id)
  expect(images.map(({ name }) => name)).toEqual(['screen.png', 'image-2.png', 'image-3.png'])
})
