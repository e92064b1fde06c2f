import { beforeAll, expect, test } from 'vitest'
import { openHistory } from '../../engine/history.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
  const store = await sqliteStore(at.db)
  const history = await openHistory({ store, conversation: 'long', title: 'Long' })
  for (let turn = 0; turn < 24; turn++)
    await history.append([
      {
        role: 'user',
        content:
          turn === 0
            ? 'What is in src/shop/item.ts, order ORD-4417?'
            : `And what do you think of the colour of box ${turn}? Tell me more about it, there is no hurry.`,
      },
      {
        role: 'assistant',
        content: `A good colour for the shelf by the window. We decided to take it, and it can be sent any day of the week.`,
      },
    ])
  await store.close()
}, 120_000)

test('what no longer fits is summarised, to the letter where it matters, and stays', async () => {
  const { stdout, stderr, code } = await at.tl(['compact', 'long', '--budget', '700'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^(?:Asked for|Decisions|Facts|Open items|To the letter):$/m)
  expect(stdout).toContain('src/shop/item.ts')
  expect(stdout).toContain('ORD-4417')
  expect(stderr).toMatch(/\d+ messages, \d+ tokens, in \d+; all of them are still there/)
  const { stdout: shown } = await at.tl(['show', 'long', '--raw'])
  expect(shown).toContain('order ORD-4417?')
  expect((await at.tl(['compact', 'long', '--budget', '700'])).stderr).toContain('nothing to summarise')
})

test('a short one needs none, and one that is not there is not found', async () => {
  expect((await at.tl(['compact', 'tea'])).stderr).toContain('everything fits')
  expect(await at.tl(['compact', 'nobody'])).toMatchObject({ code: 3 })
})
