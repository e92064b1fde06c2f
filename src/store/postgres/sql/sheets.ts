/** What is worked out of the words of many entries, packed. */
import { sql } from './statement.js'

/** Where words went meanwhile, it is not kept. */
export const putSheet = sql(
  'put_sheet',
  `insert into sheet (workspace_id, conversation_id, kind, first, last, bytes)
    select c.workspace_id, c.id, $3::text, $4::bigint, $5::bigint, $7::bytea from conversation c
      where c.workspace_id = $1 and c.id = $2 and $6 = (
        select count(*) from entry e
          where e.workspace_id = $1 and e.conversation_id = $2 and e.seq between $4 and $5 and e.redacted
      )
    on conflict (workspace_id, conversation_id, kind, first) do update
      set last = excluded.last, bytes = excluded.bytes where excluded.last > sheet.last`,
)

export const sheets = sql(
  'sheets',
  `select first, last, bytes from sheet
    where workspace_id = $1 and conversation_id = $2 and kind = $3 and ($4::bigint[] is null or first = any ($4))
    order by first`,
)

/** Those that an entry is in. */
export const removeSheets = sql(
  'remove_sheets',
  'delete from sheet where workspace_id = $1 and conversation_id = $2 and $3::bigint between first and last',
)
