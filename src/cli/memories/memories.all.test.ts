import { beforeAll, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test.each([
  [['memories', 'add'], 2, 'nothing to remember'],
  [['memories', 'add', '--kind', 'other', 'x'], 2, 'profile, semantic'],
  [['memories', 'edit', '@last'], 2, 'new words'],
  [['memories', 'rm', 'nothing-like-it'], 3, 'there is no memory'],
  [['context', '--recall', 'everything'], 2, 'conversation, memories, workspace'],
])('%j is refused with %i', async (args, code, words) => {
  const ran = await at.tl(args)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toContain(words)
})
