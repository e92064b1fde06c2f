import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, run } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'
import { slowModel } from './slow.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test('standard input goes along', async () => {
  const { stdout } = await at.tl(['chat', '--system', 'Be brief.', 'Read this:'], 'The hotel is called Miramar.\n')
  expect(stdout).toContain('Miramar')
  const { items } = await at.json(['show', '@last'])
  expect(items).toMatchObject([{ text: 'Read this:\n\nThe hotel is called Miramar.' }, {}])
  expect(await at.json(['list'])).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ title: 'Read this:', system: 'Be brief.' })]),
  })
})

test('--resume finds the conversation by its words, and lists them when there are several', async () => {
  const one = await at.tl(['chat', '--resume', 'oxidised'], 'What is oolong?')
  expect(one.stderr).toContain('chat -t tea')
  await at.tl(['chat', 'Serif is fine.'])
  const several = await at.tl(['chat', '--resume', 'serif'], 'Which one?')
  expect(several).toMatchObject({ code: 2, stdout: '' })
  expect(several.stderr).toContain('-t template')
  expect(await at.tl(['chat', '--resume', 'zeppelin'], 'hello')).toMatchObject({ code: 3 })
})

test.each([
  [2, ['chat'], 'nothing to say'],
  [2, ['chat', '-c', '-t', 'tea', 'x'], 'one of -c'],
  [3, ['chat', '-t', 'coffee', 'x'], 'no conversation coffee'],
  [3, ['chat', '-t', 'tea', '--branch', 'none', 'x'], 'branches: '],
  [5, ['chat', '-m', 'nobody/knows', 'x'], 'there is no model'],
  [2, ['chat', '--policy', 'balnced', 'x'], "did you mean 'balanced'?"],
])('%i for %j', async (code, args, words) => {
  const ran = await at.tl(args)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toContain(words)
})

describe('a model that is slow', () => {
  let model: Awaited<ReturnType<typeof slowModel>>
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    model = await slowModel()
    env = { ...at.env, ...model.env }
  })
  afterAll(() => model.close())

  test('that breaks off is a failure of the provider', async () => {
    const child = run(['chat', '-m', 'lab/slow', 'Another story'], { env, cwd: at.folder })
    const timer = setInterval(() => {
      for (const one of model.open) one.destroy()
    }, 100)
    const { code, stderr } = await child
    clearInterval(timer)
    expect(code).toBe(5)
    expect(stderr).toContain('(cut)')
  })
})
