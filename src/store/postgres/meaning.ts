/** What entries mean: their vectors, and the nearest of them, by pgvector or in this process. */

import type { Page } from '../contract/page.js'
import type { Hit, Meant, Near, SearchQuery, Spot } from '../contract/search.js'
import type { Store } from '../contract/store.js'
import { filterOf } from '../search/found.js'
import { type Library, nearestLiving } from '../search/library.js'
import { type Bound, type Ref, ranked, refOf, type Scored } from '../search/ranked.js'
import type { Sought } from '../search/terms.js'
import type { KeptVector, Wanted } from '../search/vectors.js'
import { bytesOf } from '../shared/bytes.js'
import { countOf, type PgValue, type Row } from './batch.js'
import type { Driver } from './driver.js'
import * as sql from './sql/vectors.js'
import { postgresTakeAllIn } from './take-in.js'
import { edgesOf, rowToHit, spansIn, withWords } from './words.js'

export interface Meaning {
  page(workspace: string, query: SearchQuery, near: Near, sought: readonly Sought[]): Promise<Page<Hit>>
  /** Where the nearest stand. */
  spots(workspace: string, meant: Meant, limit: number): Promise<readonly Spot[]>
}

type Nearest = (workspace: string, meant: Meant, wanted: Wanted, bound: Bound) => Promise<readonly Scored[]>

export const postgresEmbedding = (
  driver: Driver,
  library: Library,
): Pick<Store, 'unembedded' | 'putVectors' | 'removeVectors'> => ({
  async unembedded(workspace, model, limit) {
    await postgresTakeAllIn(driver, workspace)
    const [found] = await driver.read(workspace, [sql.unembedded, [workspace, model, limit]])
    return (found?.rows ?? []).map((row) => ({
      conversation: row.conversation_id as string,
      seq: row.seq as number,
      text: row.text as string,
    }))
  },

  async putVectors(workspace, model, vectors) {
    const columns = [
      vectors.map(({ conversation }) => conversation),
      vectors.map(({ seq }) => seq),
      vectors.map(({ vector }) => `\\x${Buffer.from(bytesOf(vector)).toString('hex')}`),
    ]
    await driver.once(workspace, [sql.putVectors, [workspace, model, ...columns]])
  },

  async removeVectors(workspace) {
    library.forget()
    const [removed] = await driver.once(workspace, [sql.removeVectors, [workspace]])
    return countOf(removed)
  },
})

/** `pgvector` is the schema of the extension, null without it. */
export function meaningOf(driver: Driver, library: Library, pgvector: string | null): Meaning {
  const nearest = pgvector === null ? inProcess(driver, library) : onServer(driver, pgvector)
  const end = async (workspace: string): Promise<number> => {
    const [last] = await driver.read(workspace, [sql.lastPlace, [workspace]])
    return Number(last?.rows[0]?.place ?? 0) + 1
  }
  return {
    page: (workspace, query, near, sought) =>
      ranked(query, near, sought, {
        end: () => end(workspace),
        words: async ({ below, limit }) => (await withWords(driver, workspace, query, sought, below, limit)).map(refOf),
        nearest: async (bound) => nearest(workspace, near, await wantedBy(driver, workspace, query, near), bound),
        async hits(refs) {
          const [found] = await driver.read(workspace, [sql.hitsAt, [workspace, ...columnsOf(refs)]])
          const rows = new Map((found?.rows ?? []).map((row) => [row.place as number, row]))
          return refs.flatMap((ref) => {
            const row = rows.get(ref.place)
            return row ? [{ ref, hit: rowToHit(row, sought), text: row.text as string }] : []
          })
        },
      }),
    async spots(workspace, meant, limit) {
      const wanted = await wantedBy(driver, workspace, { text: '', limit }, meant)
      const found = await nearest(workspace, meant, wanted, { below: await end(workspace), limit })
      return found.map(({ conversation, seq }) => ({ conversation, seq }))
    },
  }
}

const onServer = (driver: Driver, pgvector: string): Nearest => {
  const statement = sql.nearestByVector(pgvector)
  return async (workspace, { model, vector }, wanted, { below, limit, after }) => {
    const bytes = bytesOf(vector)
    if (bytes.every((value) => value === 0)) return []
    const { conversations, spans, role, since, until, least } = wanted
    const narrow: PgValue[] = [conversations && [...conversations], role, since, until, ...edgesOf(spans)]
    const bound: PgValue[] = [least, after?.score ?? null, after?.place ?? null, limit]
    const values = [workspace, model, `[${bytes.join()}]`, bytes.length, below, ...narrow, ...bound]
    const [found] = await driver.read(workspace, [statement, values])
    return (found?.rows ?? []).map((row) => ({ ...refOf(row), score: row.score as number }))
  }
}

const inProcess =
  (driver: Driver, library: Library): Nearest =>
  async (workspace, { model, vector }, wanted, bound) => {
    const vectors = await library.of(workspace, model, vector.length, async (after, limit) => {
      const [found] = await driver.read(workspace, [sql.vectorsAfter, [workspace, model, after, limit]])
      return (found?.rows ?? []).map(toKept)
    })
    return nearestLiving(vectors, bytesOf(vector), wanted, bound, async (refs) => {
      const [found] = await driver.read(workspace, [sql.living, [workspace, ...columnsOf(refs)]])
      return new Set((found?.rows ?? []).map(({ place }) => place as number))
    })
  }

async function wantedBy(driver: Driver, workspace: string, query: SearchQuery, { least }: Meant): Promise<Wanted> {
  const { conversation, tag } = query
  const [found] = tag === undefined ? [] : await driver.read(workspace, [sql.tagged, [workspace, tag]])
  const tagged = tag === undefined ? null : new Set((found?.rows ?? []).map(({ id }) => id as string))
  const own = conversation === undefined ? null : new Set([conversation])
  const conversations = own && tagged ? new Set([...own].filter((id) => tagged.has(id))) : (own ?? tagged)
  const { role, since, until } = filterOf(query)
  return { conversations, spans: await spansIn(driver, workspace, query), role, since, until, least }
}

const columnsOf = (refs: readonly Ref[]): readonly PgValue[] => [
  refs.map(({ conversation }) => conversation),
  refs.map(({ seq }) => seq),
]

const toKept = (row: Row): KeptVector => ({
  ...refOf(row),
  role: row.role as Hit['role'],
  instant: row.instant as number | null,
  vector: new Int8Array(row.vector as Buffer),
})
