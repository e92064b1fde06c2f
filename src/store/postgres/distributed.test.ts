/**
 * Shapes of statements that Citus refuses, or does wrong. Six were met on a coordinator with two workers, as a plain role with
 * row level security; `set_config`, generic plans, volatile functions and `pg_notify` follow from how it works. docs/scale.md
 * tells of it.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Statement } from './sql/statement.js'

/** What each is found by, and a statement that has it. */
const shapes: Readonly<Record<string, readonly [found: RegExp, bad: string]>> = {
  'set_config where rows are returned': [
    /\breturning\b[\s\S]*\bset_config\s*\(/i,
    "update branch set name = $3 where workspace_id = $1 returning set_config('a', 'b', true)",
  ],
  'a plan for any values': [/force_generic_plan/i, "select set_config('plan_cache_mode', 'force_generic_plan', true)"],
  'a volatile function that writes': [
    /\b(?:insert|update)\b[\s\S]*\b(?:clock_timestamp|random|gen_random_uuid|nextval)\s*\(/i,
    'update draft set lease_until = clock_timestamp() where workspace_id = $1',
  ],
  'a subquery beside values': [
    /\bvalues\s*\([\s\S]*\(\s*select\b/i,
    'insert into record (workspace_id) values ($1) on conflict (workspace_id) do update set body = (select 1)',
  ],
  'what is returned without a name for the table': [
    /\binsert into \w+ \([^)]*\)\s*select\b[\s\S]*\breturning\b/i,
    'insert into entry (workspace_id) select c.workspace_id from conversation c where c.workspace_id = $1 returning seq',
  ],
  'a workspace that is no column of what is selected': [
    /\binsert into [^(]*\([^)]*\)\s*select\s+\$\d/i,
    'insert into event (workspace_id) select $1 from conversation c where c.workspace_id = $1',
  ],
  'a CTE before an insert': [
    /^\s*with\b[\s\S]*\binsert into\b/i,
    `with known as (select head_id from branch where workspace_id = $1)
      insert into branch (workspace_id) select c.workspace_id from conversation c where c.workspace_id = $1`,
  ],
  'selected rows that are numbered as they are inserted': [
    /\binsert into (?:record|search_entry)\b[^(]*\([^)]*\)\s*select\b/i,
    'insert into record as r (workspace_id) select c.workspace_id from conversation c where c.workspace_id = $1',
  ],
  'a selected parameter without a type': [
    /\binsert into [^(]*\([^)]*\)\s*select\b[^;]*?,\s*\$\d+\s*(?:,|from\b)/i,
    'insert into receipt (workspace_id, id) select c.workspace_id, $3 from conversation c where c.workspace_id = $1',
  ],
  'a bell that a worker would ring': [
    /\bpg_notify\s*\([\s\S]*\bfrom\b/i,
    'select pg_notify($2, $3) from conversation where workspace_id = $1',
  ],
}

const shapesOf = (text: string): string[] => Object.keys(shapes).filter((name) => shapes[name]?.[0].test(text))

async function statements(): Promise<Statement[]> {
  const folder = join(import.meta.dirname, 'sql')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>))
  return modules.flatMap((one) => Object.values(one).filter(isStatement))
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'name' in value && 'text' in value

test.each(Object.entries(shapes))('%s is found where it stands, and nothing else is', (name, [, bad]) => {
  expect(shapesOf(bad)).toEqual([name])
})

test('no statement has a shape that a distributed planner refuses', async () => {
  const all = await statements()
  expect(all.length).toBeGreaterThan(80)
  expect(all.flatMap(({ name, text }) => shapesOf(text).map((shape) => `${name}: ${shape}`))).toEqual([])
})
