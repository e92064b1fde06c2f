/** What entries mean: their vectors, and the nearest of them. */

import type { Page } from '../contract/page.js'
import type { Hit, Meant, Near, SearchQuery } from '../contract/search.js'
import type { Store } from '../contract/store.js'
import { filterOf } from '../search/found.js'
import { type Library, nearestLiving } from '../search/library.js'
import { type Bound, ranked, refOf, type Scored } from '../search/ranked.js'
import type { Sought } from '../search/terms.js'
import type { KeptVector, Wanted } from '../search/vectors.js'
import { bytesOf } from '../shared/bytes.js'
import { keyOf, type Sqlite } from './desk.js'
import type { Row } from './driver.js'
import * as side from './side.js'
import { takeAllIn } from './take-in.js'
import { spansIn, toHit, withWords } from './words.js'

export const embedding = (
  desk: Sqlite,
  library: Library,
): Pick<Store, 'unembedded' | 'putVectors' | 'removeVectors'> => ({
  async unembedded(workspace, model, limit) {
    await takeAllIn(desk, workspace)
    const rows = await desk.group.look(() => desk.db.all(side.unembedded, { workspace, model, limit }))
    return rows.map((row) => ({
      conversation: row.conversation_id as string,
      seq: row.seq as number,
      text: row.text as string,
    }))
  },

  putVectors: (workspace, model, vectors) =>
    desk.group.write(() => {
      for (const { conversation, seq, vector } of vectors)
        desk.db.run(side.putVector, {
          ...keyOf(workspace, conversation),
          model,
          seq,
          vector: unsigned(bytesOf(vector)),
        })
    }),

  async removeVectors(workspace) {
    library.forget()
    return desk.group.write(() => desk.db.run(side.removeVectors, { workspace }))
  },
})

export function byMeaning(
  desk: Sqlite,
  library: Library,
  workspace: string,
  query: SearchQuery,
  near: Near,
  sought: readonly Sought[],
): Promise<Page<Hit>> {
  const { db, group } = desk
  return ranked(query, near, sought, {
    end: () => endOf(desk, workspace),
    words: ({ below, limit }) => group.read(() => withWords(desk, workspace, query, sought, below, limit).map(refOf)),
    nearest: (bound) => nearestVectors(desk, library, workspace, query, near, bound),
    hits: (refs) =>
      group.read(() =>
        refs.flatMap((ref) => {
          const row = db.get(side.searchedAt, { workspace, place: ref.place })
          return row ? [{ ref, ...toHit(desk, workspace, row, sought) }] : []
        }),
      ),
  })
}

/** One above all that are taken. */
export const endOf = ({ db, group }: Sqlite, workspace: string): Promise<number> =>
  group.look(() => Number(db.get(side.lastPlace, { workspace })?.place ?? 0) + 1)

export async function nearestVectors(
  desk: Sqlite,
  library: Library,
  workspace: string,
  query: SearchQuery,
  { model, vector, least }: Meant,
  bound: Bound,
): Promise<readonly Scored[]> {
  const { db, group } = desk
  const vectors = await library.of(workspace, model, vector.length, (after, limit) =>
    group.look(() => toKept(db.get(side.vectorsAfter, { workspace, model, after, limit }) as Row)),
  )
  const wanted = await group.read(() => wantedBy(desk, workspace, query, least))
  return nearestLiving(vectors, bytesOf(vector), wanted, bound, (refs) => {
    const places = JSON.stringify(refs.map(({ place }) => place))
    return group.look(() => new Set(db.all(side.living, { workspace, places }).map(({ place }) => place as number)))
  })
}

function wantedBy(desk: Sqlite, workspace: string, query: SearchQuery, least: number): Wanted {
  const { conversation, tag } = query
  const tagged = tag === undefined ? null : idsOf(desk.db.all(side.tagged, { workspace, tag }))
  const own = conversation === undefined ? null : new Set([conversation])
  const conversations = own && tagged ? new Set([...own].filter((id) => tagged.has(id))) : (own ?? tagged)
  const { role, since, until } = filterOf(query)
  return { conversations, spans: spansIn(desk, workspace, query), role, since, until, least }
}

const idsOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id as string))

type Facts = readonly [
  place: number,
  conversation: string,
  seq: number,
  role: Hit['role'],
  instant: number | null,
  bytes: number,
]

function toKept({ facts, vectors }: Row): readonly KeptVector[] {
  const bytes = signed(Buffer.from((vectors ?? '') as string, 'hex'))
  let end = 0
  return (JSON.parse(facts as string) as Facts[]).map(([place, conversation, seq, role, instant, length]) => {
    end += length
    return { place, conversation, seq, role, instant, vector: bytes.subarray(end - length, end) }
  })
}

const unsigned = ({ buffer, byteOffset, length }: Int8Array): Uint8Array => new Uint8Array(buffer, byteOffset, length)
const signed = ({ buffer, byteOffset, length }: Uint8Array): Int8Array => new Int8Array(buffer, byteOffset, length)
