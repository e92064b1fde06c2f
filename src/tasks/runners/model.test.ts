import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { render } from '../../core/render/render.js'
import { check } from '../../core/rules/check.js'
import type { ModelEvent, ModelRequest } from '../../models/wire/contract.js'
import { ModelError } from '../../models/wire/contract.js'
import { liveStage, type Script, scripted, times, user } from '../tasks.fixture.js'
import { confinedTo } from './confined.js'

const place = (): string => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hlp-tasks-')))
  mkdirSync(join(root, 'in', 'src'), { recursive: true })
  writeFileSync(join(root, 'in', 'src', 'a.ts'), 'const answer = 42\nexport { answer }\n')
  writeFileSync(join(root, 'in', 'big.txt'), 'x'.repeat(200_000))
  writeFileSync(join(root, 'in', 'bytes.bin'), Buffer.from([1, 0, 2]))
  writeFileSync(join(root, 'secret.txt'), 'the answer is secret')
  symlinkSync(join(root, 'secret.txt'), join(root, 'in', 'link.txt'))
  symlinkSync(root, join(root, 'in', 'up'))
  execFileSync('sh', ['-c', `mkfifo '${join(root, 'in', 'pipe')}'`])
  return join(root, 'in')
}

const calls = (...made: readonly [name: string, input: unknown][]): readonly ModelEvent[] => [
  ...made.map(([name, input], at): ModelEvent => ({ type: 'call', id: `c${at}`, name, input })),
  { type: 'finish', reason: 'calls', usage: null },
]

/** A model that makes one move after the other and then says the last words. */
const moves = (...steps: readonly (readonly ModelEvent[])[]): Script =>
  async function* (_, call) {
    yield* steps[call] ?? [
      { type: 'text', text: 'All is well.' },
      { type: 'finish', reason: 'stop', usage: null },
    ]
  }

const run = async (script: Script, more: { client_cwd?: string; modelSteps?: number; timeoutMs?: number } = {}) => {
  const requests: ModelRequest[] = []
  const { tasks } = liveStage({ models: scripted(script, requests), limits: { modelSteps: more.modelSteps ?? 24 } })
  const { task } = await tasks.register({
    description: 'Find the answer',
    conversation_history: [user('I lost the answer')],
    ...(more.client_cwd && { client_cwd: more.client_cwd }),
  })
  const { ended } = await tasks.deploy(task.id, {
    runner: 'model',
    ...(more.timeoutMs && { timeoutMs: more.timeoutMs }),
  })
  return { tasks, task, agent: await ended, requests }
}

describe('an agent that is a model', () => {
  test('reads the prompt, looks into the folder, reports, and ends with a result [S0-50]', async () => {
    const script = moves(
      calls(['list_files', {}], ['search_files', { words: 'ANSWER' }]),
      calls(['read_file', { path: 'src/a.ts' }]),
      calls(
        ['report_finding', { kind: 'solution', severity: 'high', message: 'it is 42' }],
        ['update_progress', { status: 'done', percent: 100 }],
      ),
    )
    const { tasks, task, agent, requests } = await run(script, { client_cwd: place() })
    expect(agent).toMatchObject({ state: 'completed', pid: null, exit: { code: 0, result: 'All is well.' } })
    expect(JSON.stringify(requests[0]?.window.items)).toContain('I lost the answer')
    expect(requests[0]?.tools?.map(({ name }) => name)).toContain('read_file')
    const last = JSON.stringify(requests[3]?.window.items)
    expect(last).toContain('src/a.ts:1: const answer = 42')
    expect(last).toContain('export { answer }')
    const { items } = await tasks.timeline(task.id, { limit: 20 })
    expect(items.find(({ type }) => type === 'finding')).toMatchObject({ agent: agent.id, message: 'it is 42' })
    expect((await tasks.output(agent.id)).text).toContain('All is well.')
    expect((await tasks.output(agent.id, { stream: 'err' })).text).toContain('read_file {"path":"src/a.ts"}')
  })

  test('makes only legal requests, however long it works', async () => {
    const many = times(20, () => calls(['read_file', { path: 'big.txt' }], ['nothing', 7]))
    const { agent, requests } = await run(moves(...many), { client_cwd: place() })
    expect(agent.state).toBe('completed')
    expect(requests).toHaveLength(21)
    for (const { window } of requests) {
      // the model writes its tools itself
      const { tools: _, ...said } = window
      expect(check('openai-chat', render(said, 'openai-chat'))).toEqual([])
    }
    expect(JSON.stringify(requests.at(-1)?.window.items)).toContain('I lost the answer')
    expect(JSON.stringify(requests[1]?.window.items)).toContain('there is no tool nothing')
  })

  test('that never comes to an end is ended by its steps, or by its time', async () => {
    const endless: Script = async function* () {
      yield* calls(['list_files', {}])
    }
    const silent: Script = async function* ({ signal }) {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stop'))))
    }
    expect((await run(endless, { modelSteps: 5 })).agent).toMatchObject({
      state: 'failed',
      exit: { error: { code: 'too_many_steps' } },
    })
    expect((await run(silent, { timeoutMs: 100 })).agent).toMatchObject({ state: 'timed_out' })
  })

  test('that fails says so in our words', async () => {
    const broken: Script = async function* () {
      yield { type: 'text', text: 'x' }
      throw new ModelError('rate_limited', 'wait a little')
    }
    expect((await run(broken)).agent).toMatchObject({ state: 'failed', exit: { error: { code: 'rate_limited' } } })
  })

  test('has no files when its task has no folder', async () => {
    const { requests } = await run(moves())
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['report_finding', 'update_progress'])
  })
})

describe('the folder', () => {
  test.each([
    '../secret.txt',
    'link.txt',
    'up/secret.txt',
    '/etc/passwd',
    '{in}/../secret.txt',
    'src/../../secret.txt',
    '/proc/self/environ',
    'a\0b',
    'nowhere',
  ])('gives nothing of %j', async (path) => {
    const folder = place()
    const confined = confinedTo(folder)
    const asked = path.replace('{in}', folder)
    await expect(confined.read(asked, 0)).rejects.toThrow('in the folder of the task')
    await expect(confined.list(asked)).rejects.toThrow()
    await expect(confined.search('secret', asked)).rejects.toThrow()
  })

  test('gives parts of a large file, and of what is no text only the size', async () => {
    const confined = confinedTo(place())
    const first = await confined.read('big.txt', 0)
    expect(first).toContain(`[… ${200_000 - 65_536} bytes follow; go on from 65536 …]`)
    expect(await confined.read('big.txt', 199_990)).toBe('x'.repeat(10))
    expect(await confined.read('big.txt', 999_999)).toBe('')
    expect(await confined.read('bytes.bin', 0)).toBe('(3 bytes that are no text)')
  })

  test('does not wait for a pipe, and finds nothing through links', async () => {
    const confined = confinedTo(place())
    await expect(confined.read('pipe', 0)).rejects.toThrow('no file')
    expect(await confined.search('answer', '.')).toBe('src/a.ts:1: const answer = 42\nsrc/a.ts:2: export { answer }')
    expect(await confined.list('.')).toBe('big.txt\nbytes.bin\nlink.txt\npipe\nsrc/\nup')
  })
})
