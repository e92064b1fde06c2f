/** Every statement of the store, by name. $1 is the workspace and $2, nearly everywhere, the conversation. */

export interface Statement {
  /** Prepared once per connection under this name. */
  readonly name?: string
  readonly text: string
}

const sql = (name: string, text: string): Statement => ({ name: `throughline_${name}`, text })

const entryColumns = `e.seq, e.parent_seq, e.depth, e.tokens, e.total, e.turns, e.id, e.parent_id, e.opener_id, e.summary_id,
  e.redacted, e.content_hash, e.hash, e.at, e.author, e.model, e.text, e.body, e.meta`
const conversationColumns = `c.id, c.title, c.folder, c.tags, c.pinned, c.archived, c.meta, c.created_at, c.updated_at,
  c.entries, c.bytes`
const draftColumns = 'd.id, d.conversation_id, d.branch, d.parent_id, d.text, d.body, d.epoch, d.at'
const receiptColumns = 'r.id, r.conversation_id, r.entry_id, r.at, r.body'

// the frame of a transaction

/** All of it ends with the transaction. A commit is durable whatever the server's default. */
export const scope = sql(
  'scope',
  `select set_config('search_path', $1, true), set_config('throughline.workspace', $2, true),
    set_config('statement_timeout', $3, true), set_config('idle_in_transaction_session_timeout', $3, true),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'off', true),
    set_config('jit', 'off', true),
    set_config('synchronous_commit', case current_setting('synchronous_commit')
      when 'off' then 'on' else current_setting('synchronous_commit') end, true)`,
)

/** Writers of one conversation follow one another; readers and the writers of drafts and receipts do not wait. */
export const lock = sql(
  'lock',
  'select entries from conversation where workspace_id = $1 and id = $2 for no key update',
)

/** The conversation cannot be removed meanwhile. */
export const hold = sql('hold', 'select 1 from conversation where workspace_id = $1 and id = $2 for key share')

export const lockAlone = sql('lock_alone', 'select 1 from conversation where workspace_id = $1 and id = $2 for update')

export const state = sql(
  'state',
  `select exists (select from conversation where workspace_id = $1 and id = $2) as here,
    exists (select from tombstone where workspace_id = $1 and conversation_id = $2) as gone`,
)

// conversations

/** Only if it was never removed; `state` in the same transaction decides, after any wait for a removal. */
export const createConversation = sql(
  'create_conversation',
  `insert into conversation as c (workspace_id, id, title, folder, tags, meta, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing returning ${conversationColumns}`,
)

export const getConversation = sql(
  'get_conversation',
  `select ${conversationColumns} from conversation c where c.workspace_id = $1 and c.id = $2`,
)

export const updateConversation = sql(
  'update_conversation',
  `update conversation c set title = coalesce($3, title), folder = case when $4 then $5 else folder end,
      tags = coalesce($6, tags), pinned = coalesce($7, pinned), archived = coalesce($8, archived),
      meta = coalesce($9, meta), updated_at = $10
    where c.workspace_id = $1 and c.id = $2 returning ${conversationColumns}`,
)

const listed = `select ${conversationColumns} from conversation c
    where c.workspace_id = $1 and ($2::boolean is null or c.archived = $2) and ($3::boolean is null or c.pinned = $3)
      and ($4::text is null or c.folder = $4) and ($5::text is null or $5 = any (c.tags))`

export const listConversations = sql(
  'list_conversations',
  `${listed} order by c.pinned desc, c.updated_at desc, c.id limit $6`,
)

/** Three ranges of the index, each in its order. */
export const listConversationsAfter = sql(
  'list_conversations_after',
  `(${listed} and c.pinned = $7 and c.updated_at = $8 and c.id > $9 order by c.id limit $6)
    union all (${listed} and c.pinned = $7 and c.updated_at < $8 order by c.updated_at desc, c.id limit $6)
    union all (${listed} and c.pinned < $7 order by c.pinned desc, c.updated_at desc, c.id limit $6)
    order by pinned desc, updated_at desc, id limit $6`,
)

// entries

// An entry is found as the first one from a key on, in the order of that key: on a table without statistics the planner
// takes a whole conversation for one row, and only an order that it may not sort makes it choose the index of the key.

const bySeq = (seq: string, columns = entryColumns): string =>
  `(select ${columns} from entry e where e.workspace_id = $1 and e.conversation_id = $2 and e.seq >= ${seq}
            order by e.seq limit 1) e`

/** The reader compares the id: it may be the next one. */
const byId = (id: string): string =>
  `(select ${entryColumns}, e.call_id, e.calls from entry e
            where e.workspace_id = $1 and e.conversation_id = $2 and e.id >= ${id} order by e.id limit 1) e`

export const getEntries = sql(
  'get_entries',
  `select ${entryColumns} from unnest($3::text[]) as asked (id) cross join lateral ${byId('asked.id')}
    where e.id = asked.id`,
)

/** The head of branch $3, and the entry to build on: entry $5 when $4 says so, else that head. */
const start = `(select head_id, case when $4::boolean then $5::text else head_id end as id
    from (select (select head_id from branch where workspace_id = $1 and conversation_id = $2 and name = $3) as head_id) b
  ) start`

export const place = sql(
  'place',
  `select start.head_id, e.seq, e.id, e.depth, e.total, e.turns, e.opener_id, e.summary_id, e.hash from ${start}
    left join lateral ${byId('start.id')} on e.id = start.id`,
)

const callColumns = 'e.parent_seq, e.call_id, e.calls'

/** For each of the calls $6: whether the nearest entry of the path that has to do with it is its result. */
export const nearest = sql(
  'nearest',
  `select asked.call_id, hit.answered from ${start}, unnest($6::text[]) as asked (call_id) cross join lateral (
      with recursive back as (
        select e.parent_seq, e.call_id is not distinct from asked.call_id as answered, e.calls
          from ${byId('start.id')} where e.id = start.id
        union all
        select e.parent_seq, e.call_id is not distinct from asked.call_id, e.calls
          from back cross join lateral ${bySeq('back.parent_seq', callColumns)}
          where not back.answered and asked.call_id <> all (coalesce(back.calls, '{}'))
      )
      select answered from back where answered or asked.call_id = any (calls) limit 1
    ) hit`,
)

/** A row if branch $3 leads on from entry $4; along a path `seq` grows, so the walk ends there. */
export const leadsOn = sql(
  'leads_on',
  `with recursive start as materialized (
      select e.seq from ${byId('$4')} where e.id = $4
    ), back as (
      select e.seq, e.parent_seq from branch b cross join lateral ${byId('b.head_id')}
        where b.workspace_id = $1 and b.conversation_id = $2 and b.name = $3 and e.id = b.head_id
      union all
      select e.seq, e.parent_seq from back cross join lateral ${bySeq('back.parent_seq', 'e.seq, e.parent_seq')}
        where back.seq > (select seq from start)
    )
    select 1 from back where seq = (select seq from start)`,
)

export const insertEntry = sql(
  'insert_entry',
  `insert into entry (workspace_id, conversation_id, seq, parent_seq, depth, tokens, total, turns, id, parent_id, opener_id,
      summary_id, call_id, calls, content_hash, hash, at, author, model, text, body, meta)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
)

export const grow = sql(
  'grow',
  'update conversation set entries = $3, bytes = bytes + $4, updated_at = $5 where workspace_id = $1 and id = $2',
)

/** From an entry back to the root, or until $4 are read. */
export const path = sql(
  'path',
  `with recursive back as (
      select ${entryColumns}, 1::bigint as taken from ${byId('$3')} where e.id = $3
      union all
      select e.*, back.taken + 1 from back cross join lateral ${bySeq('back.parent_seq')} where back.taken < $4::bigint
    )
    select * from back`,
)

/** The newest entries of branch $3 within $4 tokens, $5 entries and $6 turns; the opener and the summary, if before them. */
export const window = sql(
  'window',
  `with recursive head as materialized (
      select ${entryColumns} from branch b cross join lateral ${byId('b.head_id')}
        where b.workspace_id = $1 and b.conversation_id = $2 and b.name = $3 and e.id = b.head_id
    ), back as (
      select e.*, 0::bigint as place from head e
      union all
      select e.*, back.place + 1 from back cross join lateral ${bySeq('back.parent_seq')}
        where (select total from head) - e.total <= $4::bigint and back.place + 1 <= $5::bigint
          and (select turns from head) - e.turns <= $6::bigint
    ), besides as (
      select ${entryColumns} from head cross join lateral ${byId('head.opener_id')} where e.id = head.opener_id
      union all
      select ${entryColumns} from head cross join lateral ${byId('head.summary_id')} where e.id = head.summary_id
    )
    select * from back
    union all
    select e.*, -1 from besides e where e.depth < (select min(depth) from back)`,
)

export const feed = sql(
  'feed',
  `select ${entryColumns} from entry e
    where e.workspace_id = $1 and e.conversation_id = $2 and e.seq > $3 and e.seq <= $4 order by e.seq`,
)

export const children = sql(
  'children',
  `select ${entryColumns} from (
      select e.seq from ${byId('$3')} where e.id = $3
    ) parent cross join lateral (
      select * from entry e where e.workspace_id = $1 and e.conversation_id = $2
        and e.parent_seq >= parent.seq and e.parent_seq <= parent.seq order by e.parent_seq, e.seq offset 0
    ) e order by e.seq`,
)

export const roots = sql(
  'roots',
  `select ${entryColumns} from entry e
    where e.workspace_id = $1 and e.conversation_id = $2 and e.parent_seq is null order by e.parent_seq, e.seq`,
)

export const redactEntry = sql(
  'redact_entry',
  `update entry set body = $4, text = '', meta = null, redacted = true
    where workspace_id = $1 and conversation_id = $2 and id = $3`,
)

// idempotency

export const getKey = sql(
  'get_key',
  `select k.request, ${entryColumns} from idempotency k cross join lateral (
      select * from entry e where e.workspace_id = $1 and e.conversation_id = $2
        and e.seq >= k.first_seq and e.seq <= k.last_seq order by e.seq offset 0
    ) e where k.workspace_id = $1 and k.conversation_id = $2 and k.key = $3 order by e.seq`,
)

export const putKey = sql(
  'put_key',
  `insert into idempotency (workspace_id, conversation_id, key, request, first_seq, last_seq)
    values ($1, $2, $3, $4, $5, $6)`,
)

// branches

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

export const removeBranch = sql(
  'remove_branch',
  'delete from branch where workspace_id = $1 and conversation_id = $2 and name = $3',
)

export const entryExists = sql('entry_exists', `select 1 from ${byId('$3')} where e.id = $3`)

// drafts

export const openDraft = sql(
  'open_draft',
  `insert into draft as d (workspace_id, conversation_id, id, branch, parent_id, at, lease_until)
    select workspace_id, id, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7) from conversation
      where workspace_id = $1 and id = $2
    on conflict do nothing returning ${draftColumns}`,
)

export const saveDraft = sql(
  'save_draft',
  `update draft d set text = $5, body = $6, lease_until = clock_timestamp() + make_interval(secs => $7)
    where d.workspace_id = $1 and d.conversation_id = $2 and d.id = $3 and d.epoch = $4 returning ${draftColumns}`,
)

export const listDrafts = sql(
  'list_drafts',
  `select ${draftColumns} from draft d where d.workspace_id = $1 and d.conversation_id = $2 order by d.id`,
)

export const lockDraft = sql(
  'lock_draft',
  `select ${draftColumns} from draft d
    where d.workspace_id = $1 and d.conversation_id = $2 and d.id = $3 for update`,
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
      select workspace_id, conversation_id, id from draft where workspace_id = $1 and lease_until <= now()
        for update skip locked
    )
    update draft d set epoch = d.epoch + 1, lease_until = clock_timestamp() + make_interval(secs => $2) from due
      where d.workspace_id = due.workspace_id and d.conversation_id = due.conversation_id and d.id = due.id
      returning ${draftColumns}`,
)

// blobs

/** An update of nothing locks the row against a removal that runs at the same time. */
export const putBlob = sql(
  'put_blob',
  `insert into blob as b (workspace_id, sha256, media_type, size, bytes)
    select workspace_id, $3, $4, $5, $6 from conversation where workspace_id = $1 and id = $2
    on conflict (workspace_id, sha256) do update set size = b.size returning media_type, size`,
)

export const putBlobRef = sql(
  'put_blob_ref',
  `insert into blob_ref (workspace_id, conversation_id, sha256)
    select workspace_id, id, $3 from conversation where workspace_id = $1 and id = $2 on conflict do nothing`,
)

export const getBlob = sql(
  'get_blob',
  'select sha256, media_type, size, bytes from blob where workspace_id = $1 and sha256 = $2',
)

// receipts

export const putReceipt = sql(
  'put_receipt',
  `insert into receipt (workspace_id, conversation_id, id, entry_id, at, body)
    select workspace_id, id, $3, $4, $5, $6 from conversation where workspace_id = $1 and id = $2 on conflict do nothing`,
)

export const getReceipt = sql(
  'get_receipt',
  `select ${receiptColumns} from receipt r where r.workspace_id = $1 and r.id = $2`,
)

const receipts = `select ${receiptColumns} from receipt r where r.workspace_id = $1 and r.conversation_id = $2`

export const listReceipts = sql('list_receipts', `${receipts} order by r.at desc, r.id limit $3`)

export const listReceiptsAfter = sql(
  'list_receipts_after',
  `(${receipts} and r.at = $4 and r.id > $5 order by r.id limit $3)
    union all (${receipts} and r.at < $4 order by r.at desc, r.id limit $3)
    order by at desc, id limit $3`,
)

// removal

/** In the order of their hashes, so that two removals never wait for each other. */
export const lockBlobs = sql(
  'lock_blobs',
  `select 1 from blob where workspace_id = $1
      and sha256 in (select sha256 from blob_ref where workspace_id = $1 and conversation_id = $2)
    order by sha256 for update`,
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

export const lockNamedBlobs = sql(
  'lock_named_blobs',
  `select 1 from blob where workspace_id = $1 and sha256 = any ($3::text[])
      and sha256 in (select sha256 from blob_ref where workspace_id = $1 and conversation_id = $2)
    order by sha256 for update`,
)

/** The blobs $3 that only this conversation refers to go with the references. */
export const removeNamedBlobs = sql(
  'remove_named_blobs',
  `with freed as (
      delete from blob_ref where workspace_id = $1 and conversation_id = $2 and sha256 = any ($3::text[]) returning sha256
    )
    delete from blob b using freed where b.workspace_id = $1 and b.sha256 = freed.sha256
      and not exists (
        select from blob_ref other
          where other.workspace_id = $1 and other.sha256 = b.sha256 and other.conversation_id <> $2
      )`,
)

/** The blobs that only this conversation refers to go with the references. */
export const removeBlobs = sql(
  'remove_blobs',
  `with freed as (
      delete from blob_ref where workspace_id = $1 and conversation_id = $2 returning sha256
    )
    delete from blob b using freed where b.workspace_id = $1 and b.sha256 = freed.sha256
      and not exists (
        select from blob_ref other
          where other.workspace_id = $1 and other.sha256 = b.sha256 and other.conversation_id <> $2
      )`,
)

const owned = (table: string): Statement =>
  sql(`remove_owned_${table}`, `delete from ${table} where workspace_id = $1 and conversation_id = $2`)

export const removeReceipts = owned('receipt')
export const removeDrafts = owned('draft')
export const removeBranches = owned('branch')
export const removeKeys = owned('idempotency')
export const removeEntries = owned('entry')

export const removeConversation = sql(
  'remove_conversation',
  'delete from conversation where workspace_id = $1 and id = $2',
)

export const putTombstone = sql(
  'put_tombstone',
  'insert into tombstone (workspace_id, conversation_id) values ($1, $2) on conflict do nothing',
)
