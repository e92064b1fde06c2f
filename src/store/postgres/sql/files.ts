/** Records: small documents that change by compare and swap. */
import { sql } from './statement.js'

const columns = 'r.place, r.kind, r.id, r.conversation_id, r.body, r.revision, r.created_at, r.updated_at'

/** Record $3 of kind $2, of conversation $4, which must be there, if it is not null. */
const inserted = `insert into record as r (workspace_id, kind, id, conversation_id, body, created_at, updated_at)
    values ($1, $2, $3, $4::text, $5::json, $6, $6)`

export const makeRecord = sql('make_record', `${inserted} on conflict do nothing returning ${columns}`)

const changed = 'set body = $5::json, revision = r.revision + 1, updated_at = $6'

export const putRecord = sql(
  'put_record',
  `${inserted}
    on conflict (workspace_id, kind, id) do update ${changed} where $4::text is null or r.conversation_id = $4
    returning ${columns}`,
)

/** Only revision $7. */
export const changeRecord = sql(
  'change_record',
  `update record r ${changed}
    where r.workspace_id = $1 and r.kind = $2 and r.id = $3 and ($4::text is null or r.conversation_id = $4)
      and r.revision = $7
    returning ${columns}`,
)

const isNumber = `json_typeof(r.body) = 'object'
      and not exists (select from json_each(r.body) as one where json_typeof(one.value) <> 'number')`

/** A record to add to, if there is none. */
export const openRecord = sql(
  'open_record',
  `insert into record (workspace_id, kind, id, body, revision, created_at, updated_at) values ($1, $2, $3, '{}', 0, $4, $4)
    on conflict do nothing`,
)

/** Adds the numbers $4 to those that are there; no row if others than numbers are. */
export const addRecord = sql(
  'add_record',
  `update record r set revision = r.revision + 1, updated_at = $5, body = (
      select coalesce(json_object_agg(name, coalesce(known.value::text::float8, 0) + coalesce(more.value::text::float8, 0)
          order by known.n, more.n), '{}')
        from json_each(r.body) with ordinality as known (name, value, n)
          full join json_each($4::json) with ordinality as more (name, value, n) using (name)
    ) where r.workspace_id = $1 and r.kind = $2 and r.id = $3 and ${isNumber}
    returning ${columns}`,
)

export const getRecord = sql(
  'get_record',
  `select ${columns} from record r where r.workspace_id = $1 and r.kind = $2 and r.id = $3`,
)

export const removeRecord = sql('remove_record', 'delete from record where workspace_id = $1 and kind = $2 and id = $3')

export const listRecords = sql(
  'list_records',
  `select ${columns} from record r where r.workspace_id = $1 and r.kind = $2 and r.place < $3
    order by r.place desc limit $4`,
)

export const listRecordsIn = sql(
  'list_records_in',
  `select ${columns} from record r
    where r.workspace_id = $1 and r.conversation_id = $5 and r.kind = $2 and r.place < $3
    order by r.place desc limit $4`,
)

export const ownedRecords = sql(
  'owned_records',
  `select ${columns} from record r where r.workspace_id = $1 and r.conversation_id = $2`,
)

export const removeRecords = sql(
  'remove_owned_record',
  'delete from record where workspace_id = $1 and conversation_id = $2',
)
