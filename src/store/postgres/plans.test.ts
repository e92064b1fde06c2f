import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, type Raw, rawClient } from '../../../test/postgres/database.js'
import { at, said } from './log.fixture.js'
import { readScope } from './sql/frame.js'
import * as sql from './sql/log.js'
import type { Statement } from './sql/statement.js'
import { postgresStore } from './store.js'

const server = await askServer()
const endless = Number.MAX_SAFE_INTEGER

interface Node {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

/** Rows of the log that were looked at, whether or not they were of use. */
const looked = (node: Node): number =>
  (node['Relation Name'] === 'entry'
    ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, inner) => sum + looked(inner), 0)

describe.skipIf('reason' in server)('a statement on a conversation of 900 entries', () => {
  const { url } = server as { url: string }
  const schema = freshSchema()
  let raw: Raw

  beforeAll(async () => {
    raw = await rawClient(url)
    const store = await postgresStore(url, { schema })
    await store.create('w', { id: 'c', at })
    for (let i = 0; i < 900; i += 100) {
      const batch = Array.from({ length: 100 }, (_, n) => said(`${i + n}`, `e${i + n}`))
      await store.append('w', 'c', batch, { branch: 'main', at })
    }
    await store.close()
  })
  afterAll(() => raw.end())

  const cases: readonly (readonly [string, Statement, readonly unknown[], number])[] = [
    // a quarter more than in reach, and a few
    ['window by tokens', sql.window, ['w', 'c', 'main', 20, endless, endless], 36],
    ['window by turns', sql.window, ['w', 'c', 'main', endless, endless, 20], 36],
    ['rest of a window', sql.windowBehind, ['w', 'c', 'e899', 20, endless, endless, 'e890'], 14],
    ['window by entries', sql.window, ['w', 'c', 'main', endless, 20, endless], 25],
    ['path', sql.path, ['w', 'c', 'e500', 20], 20],
    ['entry', sql.getEntries, ['w', 'c', ['e500', 'none']], 2],
    ['place of an append', sql.place, ['w', 'c', 'main', false, null], 1],
    ['part of the feed', sql.feed, ['w', 'c', 10, 20], 10],
    ['children', sql.children, ['w', 'c', 'e500'], 2],
    ['roots', sql.roots, ['w', 'c'], 1],
  ]

  for (const known of ['nothing', 'all'] as const) {
    describe(`when the planner knows ${known} of the table`, () => {
      beforeAll(async () => {
        if (known === 'all') await raw.query(`analyze "${schema}".entry`)
      })

      test.each(cases)('looks only at the rows of the %s', async (_, statement, values, most) => {
        await raw.query('begin')
        await raw.query(readScope.text, [`"${schema}", pg_temp`, 'w', '10000', 'force_generic_plan'])
        await raw.query(`prepare looked_at as ${statement.text}`)
        const [row] = await raw.query(
          `explain (analyze, format json) execute looked_at (${values.map(literal).join()})`,
        )
        await raw.query('rollback')
        await raw.query('deallocate looked_at')
        const plans = row?.['QUERY PLAN'] as { readonly Plan: Node }[] | undefined
        expect(looked(plans?.[0]?.Plan as Node)).toBeLessThanOrEqual(most)
      })
    })
  }
})

function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join()}]`
  return typeof value === 'string' ? pg.escapeLiteral(value) : String(value)
}
