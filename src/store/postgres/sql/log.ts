/** Reading the log. */
import { bareSeal } from './seal.js'
import { sql } from './statement.js'

const entryColumns = `e.seq, e.depth, e.tokens, e.total, e.turns, e.id, e.parent_id, e.opener_id, e.summary_id, e.redacted,
  e.content_hash, e.hash, e.at, e.author, e.model, e.text, e.body, e.meta`

// An entry is found as the first one from a key on, in the order of that key: on a table without statistics the planner
// takes a whole conversation for one row, and only an order that it may not sort makes it choose the index of the key.

export const bySeq = (seq: string): string =>
  `lateral (select * from entry e where e.workspace_id = $1 and e.conversation_id = $2 and e.seq >= ${seq}
            order by e.seq limit 1) e`

/** The reader compares the id: it may be the next one. */
export const byId = (id: string): string =>
  `lateral (select * from entry e where e.workspace_id = $1 and e.conversation_id = $2 and e.id >= ${id}
            order by e.id limit 1) e`

export const getEntries = sql(
  'get_entries',
  `select ${entryColumns} from unnest($3::text[]) as asked (id) cross join ${byId('asked.id')}
    where e.id = asked.id`,
)

/** Each with its place in the list of those that are asked for. */
export const entriesAt = sql(
  'entries_at',
  `select asked.n, ${entryColumns}
    from unnest($2::text[], $3::bigint[]) with ordinality as asked (conversation_id, seq, n)
    cross join lateral (
      select * from entry e where e.workspace_id = $1 and e.conversation_id = asked.conversation_id
        and e.seq >= asked.seq order by e.seq limit 1
    ) e where e.seq = asked.seq`,
)

export const entryExists = sql('entry_exists', `select 1 from ${byId('$3')} where e.id = $3`)

/** From an entry back to the root, or until $4 are read. */
export const path = sql(
  'path',
  `with recursive back as (
      select ${entryColumns}, e.parent_seq, 1::bigint as taken from ${byId('$3')} where e.id = $3
      union all
      select ${entryColumns}, e.parent_seq, back.taken + 1 from back cross join ${bySeq('back.parent_seq')}
        where back.taken < $4::bigint
    )
    select * from back`,
)

const inReach = `head.total - e.total <= $4::bigint and head.depth - e.depth <= $5::bigint
          and head.turns - e.turns <= $6::bigint`

/**
 * The newest entries of branch $3 within $4 tokens, $5 entries and $6 turns; the opener and the summary, if before them.
 * Entries nearly always follow one another in the table as they do on the path, so that one range of the primary key has
 * them: as many as there would be if all were of the mean size, and some more. The reader looks for gaps.
 */
export const window = sql(
  'window',
  `with head as materialized (
      select e.seq, e.depth, e.total, e.turns, e.opener_id, e.summary_id,
          least($5::bigint + 1, 8 + (1.25 * (e.depth + 1) * least(
            1, $4::bigint::float8 / greatest(e.total, 1), $6::bigint::float8 / greatest(e.turns, 1)
          ))::bigint) as near
        from branch b cross join ${byId('b.head_id')}
        where b.workspace_id = $1 and b.conversation_id = $2 and b.name = $3 and e.id = b.head_id
    )
    select ${entryColumns}, false as beside from head cross join lateral (
      select * from entry e where e.workspace_id = $1 and e.conversation_id = $2
        and e.seq > head.seq - head.near and e.seq <= head.seq order by e.seq desc offset 0
    ) e where ${inReach}
    union all
    select ${entryColumns}, true from head cross join unnest(array[head.opener_id, head.summary_id]) as asked (id)
      cross join ${byId('asked.id')} where e.id = asked.id and not (${inReach})`,
)

/** From entry $7 back, which is in reach from the head $3, as far as the others are. */
export const windowBehind = sql(
  'window_behind',
  `with recursive head as materialized (
      select e.depth, e.total, e.turns from ${byId('$3')} where e.id = $3
    ), back as (
      select ${entryColumns}, e.parent_seq from ${byId('$7')} where e.id = $7
      union all
      select ${entryColumns}, e.parent_seq from head cross join back cross join ${bySeq('back.parent_seq')} where ${inReach}
    )
    select * from back`,
)

export const feed = sql(
  'feed',
  `select ${entryColumns} from entry e
    where e.workspace_id = $1 and e.conversation_id = $2 and e.seq > $3 and e.seq <= $4 order by e.seq`,
)

/** The one written right after its parent is in no index of parents. */
export const children = sql(
  'children',
  `with parent as materialized (select e.seq from ${byId('$3')} where e.id = $3)
    select ${entryColumns} from parent cross join ${bySeq('parent.seq + 1')}
      where e.seq = parent.seq + 1 and e.parent_seq = parent.seq
    union all
    select ${entryColumns} from parent cross join lateral (
      select * from entry e where e.workspace_id = $1 and e.conversation_id = $2
        and (e.parent_seq is null or e.parent_seq <> e.seq - 1)
        and e.parent_seq >= parent.seq and e.parent_seq <= parent.seq order by e.parent_seq, e.seq offset 0
    ) e`,
)

export const roots = sql(
  'roots',
  `select ${entryColumns} from entry e
    where e.workspace_id = $1 and e.conversation_id = $2 and e.parent_seq is null order by e.parent_seq, e.seq`,
)

// the way to the place of a new entry

/** The head of branch $3, and the entry to build on: entry $5 when $4 says so, else that head. */
const start = `(select head_id, case when $4::boolean then $5::text else head_id end as id from (
      select (select head_id from branch where workspace_id = $1 and conversation_id = $2 and name = $3) as head_id
    ) b) start`

export const place = sql(
  'place',
  `select start.head_id, e.id, e.total from ${start} left join ${byId('start.id')} on e.id = start.id`,
)

/** For each of the calls: whether the nearest entry of the path from `head` that has to do with it is its result. */
export const nearestOf = (head: string, calls: string): string =>
  `select asked.call_id, hit.answered from unnest(${calls}::text[]) as asked (call_id) cross join lateral (
      with recursive back as (
        select e.parent_seq, e.call_id is not distinct from asked.call_id as answered, e.calls
          from ${byId(head)} where e.id = ${head}
        union all
        select e.parent_seq, e.call_id is not distinct from asked.call_id, e.calls
          from back cross join ${bySeq('back.parent_seq')}
          where not back.answered and asked.call_id <> all (coalesce(back.calls, '{}'))
      )
      select answered from back where answered or asked.call_id = any (calls) limit 1
    ) hit`

export const nearestOnPath = sql(
  'nearest',
  `select nearest.* from ${start} cross join lateral (${nearestOf('start.id', '$6')}) nearest`,
)

/** What was written under a key. */
export const getKey = sql(
  'get_key',
  `select k.request, ${entryColumns} from idempotency k cross join lateral (
      select * from entry e where e.workspace_id = $1 and e.conversation_id = $2
        and e.seq >= k.first_seq and e.seq <= k.last_seq order by e.seq offset 0
    ) e where k.workspace_id = $1 and k.conversation_id = $2 and k.key = $3 order by e.seq`,
)

// redaction

export const redactRow = sql(
  'redact_entry',
  `update entry set body = $4::text::json, text = '', meta = null, redacted = true, seal = ${bareSeal('$4::text')}
    where workspace_id = $1 and conversation_id = $2 and id = $3`,
)

/** The entries beside $3 in which one of the names $4 occurs; the reader looks whether they really name a blob. */
export const mentions = sql(
  'mentions',
  `select ${entryColumns} from entry e where e.workspace_id = $1 and e.conversation_id = $2 and e.id <> $3
      and exists (
        select from unnest($4::text[]) as asked (sha256)
          where position(asked.sha256 in e.body::text) > 0 or position(asked.sha256 in coalesce(e.meta::text, '')) > 0
      )`,
)
