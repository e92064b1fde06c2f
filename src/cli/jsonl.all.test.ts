import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, test } from 'vitest'
import { answers, build, history, start } from './cli.fixture.js'

beforeAll(build, 120_000)

const user = (content: unknown) => ({ role: 'user', content })

describe('a bad line', () => {
  test('with a hundred thousand levels anywhere harms nothing', async () => {
    const depth = 100_000
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const hostile = [
      `{"messages": [{"role": "user", "content": ${deep}}]}`,
      `{"messages": [{"role": "assistant", "tool_calls": ${deep}}, {"role": "user", "content": "x"}]}`,
      `{"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "b", "input": ${deep}}]}, {"role": "user", "content": "x"}]}`,
      `{"id": ${deep}, "messages": []}`,
      `{"id": ${deep}, "messages": [{"role": "user", "content": "x"}]}`,
      `{"messages": [], "overrides": ${deep}}`,
      `{"messages": [], "policy": ${deep}}`,
      `{"messages": [], "current": ${deep}}`,
      `{"messages": [{"role": "user", "content": "x"}], "tools": [${deep}]}`,
      `${'['.repeat(depth)}`,
    ]
    const all = await answers(hostile.flatMap((line, i) => [line, { id: i, messages: history }]))
    expect(all).toHaveLength(2 * hostile.length)
    for (const [i] of hostile.entries()) expect([all[2 * i + 1]?.id, all[2 * i + 1]?.ok]).toEqual([i, true])
    for (const i of [3, 4, 5, 6, 7, 9]) expect(all[2 * i]?.ok).toBe(false)
  })
})

describe('the bytes of a line', () => {
  test('may be fifty million', async () => {
    const long = 'lorem ipsum dolor sit amet '.repeat(1_900_000)
    const [said, after] = await answers([
      { id: 'big', messages: [user('start'), { role: 'assistant', content: long }, user('end')], budget: 8_000 },
      { id: 'after', messages: history },
    ])
    expect([said?.id, said?.ok, after?.id]).toEqual(['big', true, 'after'])
  })

  test('are no problem for a reader that is slow', async () => {
    const child = start(['assemble', '--jsonl'])
    const count = 200
    const request = { messages: Array.from({ length: 40 }, (_, i) => user(`message ${i} `.repeat(100))) }
    for (let id = 0; id < count; id++) child.stdin.write(`${JSON.stringify({ id, ...request })}\n`)
    child.stdin.end()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const ids: unknown[] = []
    for await (const line of createInterface({ input: child.stdout }))
      ids.push((JSON.parse(line) as { id: unknown }).id)
    expect(ids).toEqual(Array.from({ length: count }, (_, id) => id))
  })
})
