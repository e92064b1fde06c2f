/** The types of the client are made from the operations; nothing of them is written by hand. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formatted, wireFile, wireOf } from '../../scripts/lib/client-types.mjs'
import { routes } from '../../src/http/routes.js'
import { operations } from '../../src/operations/list.js'
import type { Operation } from '../../src/operations/operation.js'

const wire = readFileSync(wireFile, 'utf8')

describe('the types of the client', () => {
  test('are what the schemas of the operations say now', async () => {
    expect(await formatted(wireOf({ operations, routes }))).toBe(wire)
  })

  test('name every operation', () => {
    const named = [...wire.matchAll(/^ {2}'([\w.]+)': \{/gm)].map((match) => match[1])
    expect(operations.filter(({ name }) => !named.includes(name))).toEqual([])
  })

  test('are stale as soon as a field is added, taken away or made optional', async () => {
    const first = operations.find(({ name }) => name === 'agents.deploy') as Operation
    const { task_id, ...others } = first.input.shape
    const mutants = [
      first.input.extend({ added: z.string() }),
      z.strictObject(others),
      first.input.extend({ task_id: z.optional(task_id as z.ZodType) }),
    ]
    const changed = (input: z.ZodObject) => operations.map((one) => (one === first ? { ...one, input } : one))
    expect(await formatted(wireOf({ operations: changed(first.input), routes }))).toBe(wire)
    for (const input of mutants) expect(await formatted(wireOf({ operations: changed(input), routes }))).not.toBe(wire)
  })
})

describe('a schema as a type', () => {
  const typeOf = async (output: z.ZodType) => {
    const operation = { name: 'a.b', summary: 'S', input: z.strictObject({}), output }
    const text = await formatted(wireOf({ operations: [operation], routes: [] }))
    return text
      .split('readonly output: ')[1]
      ?.replaceAll(/\s+/g, ' ')
      .replace(/ \} \} $/, '')
      .trim()
  }

  test.each<[string, z.ZodType, string]>([
    [
      'optional fields',
      z.object({ a: z.string().optional(), b: z.int() }),
      '{ readonly a?: string; readonly b: number }',
    ],
    ['lists of choices', z.array(z.enum(['x', 'y']).nullable()), "readonly ('x' | 'y' | null)[]"],
    ['pairs', z.array(z.array(z.int()).length(2)), 'readonly (readonly [number, number])[]'],
    ['records', z.record(z.string(), z.boolean()), 'Readonly<Record<string, boolean>>'],
    ['anything', z.unknown(), 'unknown'],
  ])('writes %s', async (_, schema, type) => {
    expect(await typeOf(schema)).toContain(type)
  })
})
