/** Writing to the log: statements that travel together, behind `lock`. All of them do their part, or none does. */
import { byId, nearestOf } from './log.js'
import { sql } from './statement.js'

// The first entry goes in only if all of the batch may. Until `grow` counts them, what this transaction has written stands
// behind the last entry of its conversation: what comes after the first looks there, and does nothing when nothing was written.

const columns = `workspace_id, conversation_id, id, tokens, content_hash, at, author, model, text, body, meta, call_id, calls,
      seq, parent_seq, parent_id, depth, total, turns, opener_id, summary_id, hash`

/** $3 to $13 are the first columns after the keys, $14 says that it is a question, $15 that it is a summary. */
const behind = (parent: string, seq: string): string =>
  `c.workspace_id, c.id, $3::text, $4::bigint, $5::text, $6::text, $7::text, $8::text, $9::text, $10::json, $11::json,
      $12::text, $13::text[],
      ${seq}, ${parent}.seq, ${parent}.id, coalesce(${parent}.depth + 1, 0), coalesce(${parent}.total, 0) + $4,
      coalesce(${parent}.turns, 0) + $14::boolean::integer,
      case when ${parent}.opener_id is null and $14 then $3 else ${parent}.opener_id end,
      case when $15::boolean then $3 else ${parent}.summary_id end,
      encode(sha256(convert_to(coalesce(${parent}.hash, '') || e'\\n' || $5, 'UTF8')), 'hex')`

const returned = `returning w.seq, w.parent_id, w.depth, w.total, w.turns, w.opener_id, w.summary_id, w.content_hash, w.hash,
      w.redacted`

/** The conversation with an entry that this transaction has written. */
const written = (id: string): string =>
  `from conversation c cross join ${byId(id)} where c.workspace_id = $1 and c.id = $2 and e.id = ${id} and e.seq > c.entries`

/** The entry to build on. */
const start = 'case when $17::boolean then $18::text else b.head_id end'

const first = (conditions: string): string =>
  `insert into entry as w (${columns})
    select ${behind('e', 'c.entries + 1')}
      from conversation c left join branch b on b.workspace_id = $1 and b.conversation_id = $2 and b.name = $16
        left join ${byId(start)} on e.id = ${start}
      where c.workspace_id = $1 and c.id = $2
        and (e.id is not null or ${start} is null)
        and (not $19::boolean or b.head_id is not distinct from $20::text)
        and coalesce(e.total, 0) <= $21::bigint
        and ${conditions}
    ${returned}`

/**
 * One entry, on branch $16, behind entry $18 if $17 says so. $19 and $20 are the expected head likewise, and $21 is what the
 * tokens of the path may be.
 */
export const appendOne = sql('append_one', first(`not exists (select from ${byId('$3')} where e.id = $3)`))

/** The first of the entries $22, with $23 calls that must be open on the path, and the key $24, if there is one, unused. */
export const appendFirst = sql(
  'append_first',
  first(`not exists (select from unnest($22::text[]) as given (id) cross join ${byId('given.id')} where e.id = given.id)
        and cardinality($23::text[]) = (select count(*) from (${nearestOf(start, '$23')}) nearest where not answered)
        and not exists (
          select from idempotency k where k.workspace_id = $1 and k.conversation_id = $2 and k.key = $24::text
        )`),
)

/** Behind entry $16, which is the one before in the batch. */
export const appendNext = sql(
  'append_next',
  `insert into entry as w (${columns})
    select ${behind('e', 'e.seq + 1')} ${written('$16')}
    ${returned}`,
)

/** Branch $3 goes to entry $4. */
export const advance = sql(
  'advance',
  `insert into branch (workspace_id, conversation_id, name, head_id, updated_at)
    select c.workspace_id, c.id, $3::text, e.id, $5::text ${written('$4')}
    on conflict (workspace_id, conversation_id, name)
      do update set head_id = excluded.head_id, updated_at = excluded.updated_at`,
)

/** What is written with key $5 are $4 entries, up to $3. */
export const putKey = sql(
  'put_key',
  `insert into idempotency (workspace_id, conversation_id, key, request, first_seq, last_seq)
    select c.workspace_id, c.id, $5::text, $6::text, c.entries + 1, c.entries + $4 ${written('$3')}`,
)

/** $4 entries, up to $3, with $5 bytes: from here on they are like all others. */
export const grow = sql(
  'grow',
  `update conversation c set entries = entries + $4, bytes = bytes + $5, updated_at = $6
    where c.workspace_id = $1 and c.id = $2 and exists (select from ${byId('$3')} where e.id = $3 and e.seq > c.entries)`,
)
