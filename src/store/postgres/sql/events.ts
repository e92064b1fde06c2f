/** Events, numbered under the lock of their conversation. */
import { sql } from './statement.js'

/** $3 more. */
export const countEvents = sql(
  'count_events',
  `update conversation set events = events + $3::bigint where workspace_id = $1 and id = $2
    returning events - $3::bigint as before`,
)

/** The last ones counted: types $3 with data $4, at $5. */
export const emit = sql(
  'emit',
  `insert into event (workspace_id, conversation_id, number, type, data, at)
    select c.workspace_id, c.id, c.events - cardinality($3::text[]) + given.n, given.type, given.data::json, $5::text
      from conversation c cross join unnest($3::text[], $4::text[]) with ordinality as given (type, data, n)
      where c.workspace_id = $1 and c.id = $2`,
)

/** The span of them, and those behind number $3: of one moment, so that none is trimmed between the two. */
export const eventsAfter = sql(
  'events_after',
  `select c.events as newest, e.*, coalesce((
        select number from event where workspace_id = $1 and conversation_id = $2 order by number limit 1
      ), c.events + 1) as oldest
    from conversation c left join lateral (
      select number, type, data, at from event
        where workspace_id = $1 and conversation_id = $2 and number > $3 order by number limit $4
    ) e on true
    where c.workspace_id = $1 and c.id = $2`,
)

export const trimEvents = sql(
  'trim_events',
  'delete from event where workspace_id = $1 and conversation_id = $2 and number <= $3',
)

export const removeEvents = sql(
  'remove_owned_event',
  'delete from event where workspace_id = $1 and conversation_id = $2',
)
