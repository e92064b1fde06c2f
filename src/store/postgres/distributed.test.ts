/**
 * Shapes of statements that a distributed planner (Citus) refuses. What has one today is named here, with the shape: nothing new
 * may join the list, and what is rewritten must leave it.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Statement } from './sql/statement.js'

const shapes: Readonly<Record<string, RegExp>> = {
  'set_config in returning': /\breturning\b[\s\S]*\bset_config\s*\(/i,
  force_generic_plan: /force_generic_plan/i,
  'volatile function in update':
    /\bupdate\b[\s\S]*\bset\b[\s\S]*\b(?:clock_timestamp|random|gen_random_uuid|nextval)\s*\(/i,
  'subquery in insert': /^\s*insert\b[\s\S]*\b(?:exists|in)\s*\(\s*select\b/i,
}

const shapesOf = (text: string): string[] => Object.keys(shapes).filter((name) => shapes[name]?.test(text))

async function statements(): Promise<Statement[]> {
  const folder = join(import.meta.dirname, 'sql')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>))
  return modules.flatMap((one) => Object.values(one).filter(isStatement))
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'name' in value && 'text' in value

test('each shape is found where it stands', () => {
  expect(shapesOf("insert into t values (1) returning set_config('a', 'b', true)")).toEqual(['set_config in returning'])
  expect(shapesOf('update t set at = clock_timestamp()')).toEqual(['volatile function in update'])
  expect(shapesOf('insert into t select 1 where exists (select from u)')).toEqual(['subquery in insert'])
  expect(shapesOf('select 1 from t where exists (select from u)')).toEqual([])
})

test('no statement has a shape that a distributed planner refuses, but for those that are known', async () => {
  const found = (await statements()).flatMap(({ name, text }) => shapesOf(text).map((shape) => `${name}: ${shape}`))
  expect([...new Set(found)].sort()).toMatchInlineSnapshot(`
    [
      "throughline_add_record: subquery in insert",
      "throughline_append_first: set_config in returning",
      "throughline_append_first: subquery in insert",
      "throughline_append_next: set_config in returning",
      "throughline_append_one: set_config in returning",
      "throughline_append_one: subquery in insert",
      "throughline_claim_drafts: volatile function in update",
      "throughline_grow: set_config in returning",
      "throughline_make_record: subquery in insert",
      "throughline_open_draft: subquery in insert",
      "throughline_put_record: subquery in insert",
      "throughline_read_scope: force_generic_plan",
      "throughline_renew_draft: volatile function in update",
      "throughline_save_draft: volatile function in update",
      "throughline_talk_scope: force_generic_plan",
      "throughline_write_scope: force_generic_plan",
    ]
  `)
})
