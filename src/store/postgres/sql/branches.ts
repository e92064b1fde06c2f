/** Branches. */
import { byId } from './log.js'
import { sql } from './statement.js'

export const branchRows = sql(
  'list_branches',
  'select name, head_id, updated_at from branch where workspace_id = $1 and conversation_id = $2 order by name',
)

export const getBranch = sql(
  'get_branch',
  'select head_id from branch where workspace_id = $1 and conversation_id = $2 and name = $3',
)

/** Only from head $6, and only to an entry that is there. */
export const moveBranch = sql(
  'move_branch',
  `insert into branch as w (workspace_id, conversation_id, name, head_id, updated_at)
    select c.workspace_id, c.id, $3::text, $4::text, $5::text
      from conversation c left join branch b on b.workspace_id = $1 and b.conversation_id = $2 and b.name = $3
      where c.workspace_id = $1 and c.id = $2 and b.head_id is not distinct from $6::text
        and ($4::text is null or exists (select from ${byId('$4')} where e.id = $4))
    on conflict (workspace_id, conversation_id, name)
      do update set head_id = excluded.head_id, updated_at = excluded.updated_at
    returning w.name, w.head_id, w.updated_at`,
)

export const removeBranch = sql(
  'remove_branch',
  'delete from branch where workspace_id = $1 and conversation_id = $2 and name = $3',
)
