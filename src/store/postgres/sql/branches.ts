/** Branches. */
import { byId } from './log.js'
import { sql } from './statement.js'

export const listBranches = sql(
  'list_branches',
  'select name, head_id, updated_at from branch where workspace_id = $1 and conversation_id = $2 order by name',
)

export const getBranch = sql(
  'get_branch',
  'select head_id from branch where workspace_id = $1 and conversation_id = $2 and name = $3',
)

export const putBranch = sql(
  'put_branch',
  `insert into branch (workspace_id, conversation_id, name, head_id, updated_at) values ($1, $2, $3, $4, $5)
    on conflict (workspace_id, conversation_id, name)
      do update set head_id = excluded.head_id, updated_at = excluded.updated_at`,
)

/** Only from head $6, and only to an entry that is there. */
export const moveBranch = sql(
  'move_branch',
  `with known as (
      select head_id from branch where workspace_id = $1 and conversation_id = $2 and name = $3 for update
    )
    insert into branch (workspace_id, conversation_id, name, head_id, updated_at)
      select workspace_id, id, $3, $4::text, $5 from conversation
        where workspace_id = $1 and id = $2 and (select head_id from known) is not distinct from $6::text
          and ($4::text is null or exists (select from ${byId('$4')} where e.id = $4))
      on conflict (workspace_id, conversation_id, name)
        do update set head_id = excluded.head_id, updated_at = excluded.updated_at
      returning name, head_id, updated_at`,
)

export const removeBranch = sql(
  'remove_branch',
  'delete from branch where workspace_id = $1 and conversation_id = $2 and name = $3',
)
