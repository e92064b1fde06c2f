/** What HTTP, MCP and the command print of a request is what the provider got, to the token. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Command } from '../../src/cli/command.js'
import { commands } from '../../src/cli/commands.js'
import { meter, storyText } from '../../src/cli/kit/story.js'
import { findModel } from '../../src/core/tokens/models.js'
import { counters, type PresetName, presets } from '../../src/index.js'
import { modelAt } from '../../src/models/models.fixture.js'
import { type Model, ModelError, type Models } from '../../src/models/wire/contract.js'
import type { Store } from '../../src/store/contract/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { wireTokens } from '../laws/account.js'
import { type Mcp, type McpHost, startMcp } from '../mcp/clients.js'
import { type Provider, startProvider } from '../provider/server.js'

const exact = await counters.exact('gpt-4o')
const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

const text = fc
  .tuple(fc.constantFrom('plain words', 'größe 你好', '{"a": [1, 2, 3]}', 'const x = 1;'), fc.nat(80))
  .map(([word, times]) => `${word} `.repeat(times + 1))

const turn = fc.record({
  asks: text,
  answers: text,
  result: fc.option(fc.nat(3_000), { nil: null }),
})

const cases = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 12 }),
  window: fc.constantFrom(6_000, 9_000, 128_000),
  wire: fc.constantFrom('openai-chat', 'openai-responses', 'anthropic', 'google'),
  policy: fc.oneof(fc.constant('balanced'), fc.constantFrom(...(Object.keys(presets) as PresetName[]))),
  system: fc.option(fc.constant('You are brief.'), { nil: undefined }),
  budget: fc.option(fc.integer({ min: 1_500, max: 6_000 }), { nil: undefined }),
})

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

const rowsOf = (turns: Case['turns']): object[] =>
  turns.flatMap(({ asks, answers, result }, n) => [
    { role: 'user', content: asks },
    ...(result === null
      ? []
      : [
          {
            role: 'assistant',
            content: 'I look.',
            tool_calls: [{ id: `call_${n}`, type: 'function', function: { name: 'look', arguments: '{"q":"it"}' } }],
          },
          { role: 'tool', tool_call_id: `call_${n}`, content: `row ${n} `.repeat(result / 6 + 1) },
        ]),
    { role: 'assistant', content: answers },
  ])

const isAsked = (body: unknown): boolean => {
  const { messages, input, contents } = JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown[]>>
  return JSON.stringify((messages ?? input ?? contents ?? []).at(-1)).includes('And now?')
}

/** What `throughline receipts` prints, from the database of the service. */
async function printed(args: readonly string[], db: string): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await (commands.receipts as Command).run([...args, '--db', db])).toBe(0)
    return write.mock.calls.map(([chunk]) => String(chunk)).join('')
  } finally {
    write.mockRestore()
  }
}

/** One test over so many conversations. */
export function numbersAgree(numRuns: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
  const db = join(folder, 'numbers.db')
  let provider: Provider
  let store: Store
  let host: McpHost
  let mcp: Mcp

  beforeAll(async () => {
    provider = await startProvider({ answer: { text: 'Yes.' } })
    const known = new Map<string, Model>()
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic', 'google'] as const) {
      const model = await modelAt(wire, provider.url, { silenceMs: 20_000 })
      for (const window of [6_000, 9_000, 128_000]) {
        const id = `${wire}/${window}`
        known.set(id, { ...model, id, facts: { ...findModel('gpt-4o'), id, window, output: 1_000 } })
      }
    }
    const models: Models = {
      usual: 'openai-chat/128000',
      list: async () => [],
      find: async (id = 'openai-chat/128000') => {
        const found = known.get(id)
        if (!found) throw new ModelError('unknown_model', id)
        return found
      },
    }
    store = await sqliteStore(db)
    host = await startMcp({ store, models, titles: false } as never)
    mcp = await host.mcp()
  })
  afterAll(async () => {
    await mcp.close()
    await host.stop()
    await store.close()
    await provider.close()
    rmSync(folder, { recursive: true })
  })

  test(`over ${numRuns} conversations, models and policies [P-31]`, async () => {
    let n = 0
    await fc.assert(
      fc.asyncProperty(cases, async ({ turns, window, wire, policy, system, budget }) => {
        const id = `numbers-${++n}`
        const at = `/api/v1/conversations/${id}`
        await host.call('POST', '/api/v1/conversations', { body: { id, title: id } })
        await host.call('POST', `${at}/messages`, { body: { messages: rowsOf(turns) } })
        const asked = {
          model: `${wire}/${window}`,
          policy,
          ...(system === undefined ? null : { system }),
          ...(budget === undefined ? null : { budget }),
        }
        const before = provider.requests.length
        const { text: told } = await host.call('POST', `${at}/runs`, {
          body: { message: 'And now?', ...asked },
          headers: { accept: 'text/event-stream' },
        })
        // the summary of an earlier conversation may be asked for meanwhile
        const captured = provider.requests.slice(before).find(({ body }) => isAsked(body))
        // some specifications take no history like this one: another case takes its place
        if (!captured) expect(told).toContain('"code":"admit.')
        fc.pre(captured !== undefined)
        const sent = wireTokens(captured.body, exact)
        const { items } = (await host.call('GET', `${at}/receipts`)).body
        const { receipt, explanation } = (await host.call('GET', `/api/v1/receipts/${items[0].id}`)).body
        // some specifications count characters
        if (receipt.counter.exact) expect(receipt.request.used).toBe(sent)
        else expect(presets[policy].counter).toBe('chars/4')
        const { each: _, ...numbers } = receipt.request
        // MCP
        const over = await mcp.call('receipt_explain', { receipt_id: items[0].id })
        expect(over.numbers).toEqual(numbers)
        expect(over.explanation).toBe(explanation)
        // the command
        const { used, budget: limit, free } = receipt.request
        const budgeted = `${number(used)} of ${number(limit)} tokens`
        expect(explanation).toContain(limit === null ? `${number(used)} tokens, no token limit` : budgeted)
        if (limit !== null) expect(meter(receipt)).toContain(`${budgeted} used, ${number(free)} free`)
        expect(storyText(receipt).head).toContain(
          `${number(numbers.messages.sent)} of ${number(numbers.messages.of)} messages sent`,
        )
        expect(await printed([items[0].id], db)).toContain(explanation)
        const row = [`${number(numbers.messages.sent)}/${number(numbers.messages.of)}`, number(used)]
        expect((await printed([id], db)).split(/\s+/)).toEqual(expect.arrayContaining(row))
      }),
      { numRuns },
    )
  }, 600_000)
}
