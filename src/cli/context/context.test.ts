import { beforeAll, expect, test } from 'vitest'
import { openHistory } from '../../engine/history.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test('every message has a fate, and the numbers are those of show', async () => {
  const { schema, messages, receipt } = await at.json(['context', '-t', 'tea', '--budget', '90'])
  expect(schema).toBe('throughline.context/1')
  expect(messages).toMatchObject([
    { number: 1, fate: 'kept', rule: 'fits' },
    { number: 2, fate: 'clipped', rule: 'fit.oversize' },
    { number: 3, fate: 'kept' },
    { number: 4, fate: 'kept' },
  ])
  expect(receipt).toMatchObject({ totals: { messages: 4, clipped: 1 } })
  const { stdout } = await at.tl(['context', '-t', 'tea', '--budget', '90'])
  expect(stdout).toMatch(/^window +▕.*▏$/m)
  expect(stdout).toMatch(/^2 +assistant +✂ clipped +\d+\/\d+ +shortened to the room that was left +Loose leaf\./m)
})

test('--why tells the fate of one message and what it costs', async () => {
  const { stdout } = await at.tl(['context', '-t', 'tea', '--budget', '90', '--why', '2'])
  expect(stdout).toMatch(/^2 assistant · ✂ clipped: shortened to the room that was left \(fit.oversize\)\n/)
  expect(stdout).toMatch(/^\+\d+ tokens bring it back whole/m)
  expect(await at.tl(['context', '-t', 'tea', '--why', '6'])).toMatchObject({ code: 3 })
})

test('what is drawn is what the next turn sends', async () => {
  const made = await at.json(['context', '-t', 'tea', '--branch', 'cheaper', '--current', 'And black tea?'])
  const { run } = (await at.json(['chat', '-t', 'tea', '--branch', 'cheaper', 'And black tea?'])) as {
    run: { receipt: string }
  }
  const sent = JSON.parse((await at.tl(['export', 'tea', '--to', 'json'])).stdout) as {
    receipts: { id: string; body: { receipt: { budget: object; totals: object } } }[]
  }
  const { receipt } = (sent.receipts.find(({ id }) => id === run.receipt) as (typeof sent.receipts)[0]).body
  expect(made.receipt).toMatchObject({ budget: receipt.budget, totals: receipt.totals })
})

test('--wire is the request, --diff what became different', async () => {
  const { messages } = JSON.parse((await at.tl(['context', '-t', 'template', '--wire'])).stdout) as {
    messages: readonly { content: string }[]
  }
  expect(messages.map(({ content }) => content)).toEqual(['Which font?', 'Serif.'])
  expect(await at.tl(['context', '-t', 'template', '--diff'])).toMatchObject({ code: 3 })
  await at.tl(['chat', '-t', 'template', 'Which colour?'])
  const { stdout } = await at.tl(['context', '-t', 'template', '--diff'])
  expect(stdout).toContain('~ messages: 2 → 4')
  expect(stdout).toContain('+ messages 3–4: kept (fits)')
})

test('a budget that cannot fit is refused with 6, and nothing is written', async () => {
  const before = await at.json(['show', 'tea'])
  expect(await at.tl(['context', '-t', 'tea', '--budget', '5'])).toMatchObject({ code: 6, stdout: '' })
  expect(await at.json(['show', 'tea'])).toEqual(before)
})

test('a tool output that is shortened is told as shortened, with what of it is sent [field report D-10]', async () => {
  const turns = Array.from({ length: 8 }, (_, i) => [
    { role: 'user', content: `Look at file ${i}.` },
    {
      role: 'assistant',
      tool_calls: [{ id: `call_${i}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `call_${i}`, content: `line ${i} of the file\n`.repeat(150) },
    { role: 'assistant', content: `File ${i} is fine.` },
  ]).flat()
  const store = await sqliteStore(at.db)
  await (await openHistory({ store, conversation: 'files' })).append(turns)
  await store.close()
  const asked = ['context', 'files', '--budget', '4000']
  const { messages } = (await at.json(asked)) as {
    messages: { number: number; fate: string; tokens: [number, number] }[]
  }
  const folded = messages.filter(({ fate }) => fate === 'folded')
  const shortened = folded.filter(({ tokens: [whole, sent] }) => sent < whole / 2)
  expect(shortened.length).toBeGreaterThan(0)
  const { stdout } = await at.tl([...asked, '--all'])
  expect(stdout).toMatch(/tool +⊂ folded +\d+\/1,\d{3} /)
})
