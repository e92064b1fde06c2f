/** Drafts. Their leases run on the clock of the database. */
import { byId, bySeq } from './log.js'
import { sql } from './statement.js'

const draftColumns = 'd.id, d.conversation_id, d.branch, d.parent_id, d.text, d.body, d.epoch, d.at'

/** Under entry $5, with body $8; if $9 says so, only while there is no other. */
export const openDraft = sql(
  'open_draft',
  `insert into draft as d (workspace_id, conversation_id, id, branch, parent_id, at, lease_until, body)
    select workspace_id, id, $3::text, $4::text, $5::text, $6::text, statement_timestamp() + make_interval(secs => $7), $8::json from conversation
      where workspace_id = $1 and id = $2 and ($5::text is null or exists (select from ${byId('$5')} where e.id = $5))
        and not ($9::boolean and exists (select from draft where workspace_id = $1 and conversation_id = $2))
    on conflict do nothing returning ${draftColumns}`,
)

export const saveDraft = sql(
  'save_draft',
  `update draft d set text = $5, body = $6, lease_until = statement_timestamp() + make_interval(secs => $7)
    where d.workspace_id = $1 and d.conversation_id = $2 and d.id = $3 and d.epoch = $4 returning ${draftColumns}`,
)

export const renewDraft = sql(
  'renew_draft',
  `update draft d set lease_until = statement_timestamp() + make_interval(secs => $5)
    where d.workspace_id = $1 and d.conversation_id = $2 and d.id = $3 and d.epoch = $4 returning ${draftColumns}`,
)

export const dropDraft = sql(
  'drop_draft',
  'delete from draft where workspace_id = $1 and conversation_id = $2 and id = $3 and epoch = $4 returning 1 as dropped',
)

/** Draft $3 as it is, and whether its branch still leads on from its parent. */
export const draftPlace = sql(
  'draft_place',
  `with recursive drafted as materialized (
      select ${draftColumns} from draft d where d.workspace_id = $1 and d.conversation_id = $2 and d.id = $3 for update
    ), start as materialized (
      select e.seq from drafted cross join ${byId('drafted.parent_id')} where e.id = drafted.parent_id
    ), back as (
      select e.seq, e.parent_seq from drafted
        join branch b on b.workspace_id = $1 and b.conversation_id = $2 and b.name = drafted.branch
        cross join ${byId('b.head_id')} where e.id = b.head_id
      union all
      select e.seq, e.parent_seq from back cross join ${bySeq('back.parent_seq')} where back.seq > (select seq from start)
    )
    select drafted.*, drafted.parent_id is null or exists (
      select from back where seq = (select seq from start)
    ) as leads_on from drafted`,
)

export const listDrafts = sql(
  'list_drafts',
  `select ${draftColumns} from draft d where d.workspace_id = $1 and d.conversation_id = $2 order by d.id`,
)

export const getDraft = sql(
  'get_draft',
  'select epoch from draft where workspace_id = $1 and conversation_id = $2 and id = $3',
)

export const removeDraft = sql(
  'remove_draft',
  'delete from draft where workspace_id = $1 and conversation_id = $2 and id = $3',
)

export const claimDrafts = sql(
  'claim_drafts',
  `with due as (
      select workspace_id, conversation_id, id from draft where workspace_id = $1 and lease_until <= statement_timestamp()
        for update skip locked
    )
    update draft d set epoch = d.epoch + 1, lease_until = statement_timestamp() + make_interval(secs => $2) from due
      where d.workspace_id = due.workspace_id and d.conversation_id = due.conversation_id and d.id = due.id
      returning ${draftColumns}`,
)
