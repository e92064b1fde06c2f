import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, main, start } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'
import { slowModel } from './slow.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test('a new conversation begins, goes on with -c, and only the answer is on stdout', async () => {
  const first = await at.tl(['chat', 'The', 'ticket', 'is', 'number', '4711.'])
  expect(first.code, first.stderr).toBe(0)
  expect(first.stdout).toBe('Noted: “The ticket is number 4711.”\n')
  expect(first.stderr).toContain('no AI')
  expect(first.stderr).toMatch(/^saw 1 of 1 messages · [\d,]+ of [\d,]+ tokens$/m)
  const [, id = ''] = /continue with: throughline chat -t (\S+)/.exec(first.stderr) ?? []
  const next = await at.tl(['chat', '-c', 'What is the number of the ticket?'])
  expect(next.stdout).toContain('The ticket is number 4711.')
  expect(next.stderr).toContain(id)
  expect((await at.json(['show', id.slice(0, 12)])).items).toHaveLength(4)
  expect(await at.json(['list'])).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ id, entries: 4 })]),
  })
})

describe('a model that is slow', () => {
  let model: Awaited<ReturnType<typeof slowModel>>
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    model = await slowModel()
    env = { ...at.env, ...model.env }
  })
  afterAll(() => model.close())

  test('is stopped by Ctrl-C, and what it said is kept', async () => {
    const child = start(['chat', '-m', 'lab/slow', 'Tell me a story'], { env, cwd: at.folder })
    child.stdin.end()
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const [said] = await once(child.stdout, 'data')
    expect(String(said)).toContain('Once upon')
    child.kill('SIGINT')
    expect((await once(child, 'close'))[0], err).toBe(130)
    expect(err).toContain('what was said so far is kept')
    const { items } = await at.json(['show', '@last'])
    expect(items).toMatchObject([{}, { text: 'Once upon a time', status: 'aborted' }])
  })
})

test.runIf(process.platform === 'linux')('a talk at a terminal does what slashes say', async () => {
  const child = spawn('script', ['-qec', `${process.execPath} ${main}`, '/dev/null'], {
    env: { ...process.env, ...at.env, TERM: 'xterm', NO_COLOR: '1' },
  })
  const closed = once(child, 'close')
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const until = async (words: string) => {
    for (let i = 0; i < 200 && !out.includes(words); i++) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(out).toContain(words)
    out = ''
  }
  const say = (line: string) => child.stdin.write(`${line}\r`)
  await until('> ')
  for (const [line, words] of [
    ['The code is 1234', 'Noted:'],
    ['/context', 'window    ▕'],
    ['/undo', '/branch main brings it back'],
    ['/branch', '* fork-0'],
    ['/branch main', 'main'],
    ['What is the code?', 'The code is 1234”'],
    ['/model nobody/knows', 'there is no model'],
    ['/exit', 'continue with: throughline chat -t '],
  ] as const) {
    say(line)
    await until(words)
  }
  child.stdin.end()
  expect((await closed)[0]).toBe(0)
})
