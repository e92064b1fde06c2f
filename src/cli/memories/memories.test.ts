import { beforeAll, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test('what is known is added, seen, corrected, taken away and forgotten [S4-F5]', async () => {
  const memory = (await at.json(['memories', 'add', '--kind', 'profile', 'Prefers', 'metric units.'])) as { id: string }
  expect(memory).toMatchObject({ kind: 'profile', text: 'Prefers metric units.', source: null, revision: 1 })
  const fact = [
    'memories',
    'add',
    '--kind',
    'semantic',
    '-t',
    'tea',
    '--from',
    '3',
    'Oolong',
    'is',
    'half',
    'oxidised.',
  ]
  expect(await at.json(fact)).toMatchObject({ kind: 'semantic', source: { conversation_id: 'tea' } })
  const listed = await at.tl(['memories', 'list', '--kind', 'profile'])
  expect(listed.stdout).toMatch(/^id +kind +when +from +text\n\S+ +profile .* person +Prefers metric units\.\n$/)
  const edited = await at.tl(['memories', 'edit', memory.id.slice(0, 12), 'Prefers', 'short', 'answers.'])
  expect(edited).toMatchObject({ code: 0, stdout: `${memory.id}\n` })
  const { stdout } = await at.tl(['memories', 'export'])
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ text: 'Prefers short answers.', revision: 2 }, { text: 'Oolong is half oxidised.' }])
  const window = await at.tl(['context', '-t', 'template', '--current', 'Hello', '--recall', 'memories', '--wire'])
  expect(window.stdout).toContain('memory: Prefers short answers.')
  expect((await at.tl(['context', '-t', 'template', '--current', 'Hello', '--wire'])).stdout).not.toContain('memory:')
  expect(await at.tl(['memories', 'rm', memory.id])).toMatchObject({ code: 0 })
  expect(await at.json(['memories', 'list'])).toMatchObject({ items: [{ text: 'Oolong is half oxidised.' }] })
})
