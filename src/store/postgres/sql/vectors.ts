/** What entries mean. */

import { hit } from './hit.js'
import { byId, bySeq } from './log.js'
import { type Statement, sql } from './statement.js'

/** Vectors are put in the order of places, so that none is missing before the last. */
export const unembedded = sql(
  'unembedded',
  `select s.conversation_id, s.seq, e.text
    from (
      select s.conversation_id, s.seq from search_entry s
        where s.workspace_id = $1 and s.place > coalesce(
          (select max(v.place) from search_vector v where v.workspace_id = $1 and v.model = $2), 0
        )
        order by s.place limit $3
    ) s
    cross join lateral (
      select e.text from entry e
        where e.workspace_id = $1 and e.conversation_id = s.conversation_id and e.seq >= s.seq order by e.seq limit 1
    ) e`,
)

const searched = `cross join lateral (
      select * from search_entry s where s.workspace_id = $1 and s.conversation_id = asked.conversation_id
        and s.seq >= asked.seq order by s.seq limit 1
    ) s`

export const putVectors = sql(
  'put_vectors',
  `insert into search_vector (workspace_id, model, place, conversation_id, seq, role, instant, vector)
    select s.workspace_id, $2::text, s.place, s.conversation_id, s.seq, s.role, s.instant, asked.vector
      from unnest($3::text[], $4::bigint[], $5::bytea[]) as asked (conversation_id, seq, vector) ${searched}
      where s.seq = asked.seq
    on conflict do nothing`,
)

export const vectorsAfter = sql(
  'vectors_after',
  `select v.place, v.conversation_id, v.seq, v.role, v.instant, v.vector from search_vector v
    where v.workspace_id = $1 and v.model = $2 and v.place > $3 order by v.place limit $4`,
)

export const removeVectors = sql('remove_vectors', 'delete from search_vector where workspace_id = $1')

export const lastPlace = sql('last_place', 'select max(place) as place from search_entry where workspace_id = $1')

export const living = sql(
  'living',
  `select s.place from unnest($2::text[], $3::bigint[]) as asked (conversation_id, seq) ${searched}
    where s.seq = asked.seq`,
)

export const hitsAt = sql(
  'hits_at',
  `select ${hit.columns}
    from unnest($2::text[], $3::bigint[]) as asked (conversation_id, seq) ${searched}
    ${hit.joins}
    where s.seq = asked.seq`,
)

export const tagged = sql('tagged', 'select id from conversation where workspace_id = $1 and $2 = any (tags)')

/** The numbers of the path of a branch, from its head to the root. */
export const pathSeqs = sql(
  'path_seqs',
  `with recursive back as (
      select e.seq, e.parent_seq from branch b cross join ${byId('b.head_id')}
        where b.workspace_id = $1 and b.conversation_id = $2 and b.name = $3 and e.id = b.head_id
      union all
      select e.seq, e.parent_seq from back cross join ${bySeq('back.parent_seq')}
    )
    select seq from back`,
)

/** Every vector is looked at, by pgvector; an index of it would miss some behind a filter. */
export const nearestByVector = (home: string): Statement =>
  sql(
    'nearest_vectors',
    `select v.* from (
      select v.place, v.conversation_id, v.seq, case when ${home}.vector_dims(v.embedding) = $4::integer
          then 1 - (v.embedding operator(${home}.<=>) $3::text::${home}.vector) end as score
        from search_vector v
        where v.workspace_id = $1 and v.model = $2 and v.embedding is not null and v.place < $5
          and ($6::text[] is null or v.conversation_id = any ($6)) and ($7::text is null or v.role = $7)
          and ($8::bigint is null or v.instant >= $8) and ($9::bigint is null or v.instant < $9)
          and ($10::bigint[] is null or exists (
            select from unnest($10::bigint[], $11::bigint[]) as span (first, last) where v.seq between first and last
          ))
    ) v
    where v.score >= $12::float8
      and ($13::float8 is null or v.score < $13 or (v.score = $13 and v.place < $14::bigint))
    order by v.score desc, v.place desc limit $15`,
  )
