/** Every statement, by name. Each one that reads or writes what people said carries the workspace. */

export const begin = 'begin immediate'
export const beginRead = 'begin'
export const commit = 'commit'
export const rollback = 'rollback'
export const savepoint = 'savepoint one'
export const releaseSavepoint = 'release one'
export const rollbackSavepoint = 'rollback to one'

export const userVersion = 'pragma user_version'
export const applicationId = 'pragma application_id'
/** Without figures SQLite walks through all vectors of a workspace for each entry that goes, rather than to those of the entry. */
export const counted = "select 1 from sqlite_schema where name = 'sqlite_stat1'"
export const count = `
  begin immediate;
  analyze sqlite_schema;
  insert into sqlite_stat1 values ('search_vector', 'search_vector', '100000 50000 20000 1'),
    ('search_vector', 'search_vector_by_place', '100000 50000 2 1');
  commit;
  analyze sqlite_schema`
export const countTables = 'select count(*) as tables from sqlite_schema'
export const createFormat =
  'create table format (version integer primary key, applied_at text not null default current_timestamp)'
export const addFormat = 'insert into format (version) values (:version)'

// before WAL, because it is fixed with the first page
export const vacuumMode = 'pragma auto_vacuum = incremental'
export const vacuums = 'pragma auto_vacuum'
export const patience = 'pragma busy_timeout = 5000'
export const impatience = 'pragma busy_timeout = 0'
export const wal = 'pragma journal_mode = wal'
export const settings = `
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma wal_autocheckpoint = 4000;
  pragma journal_size_limit = 16777216;
  pragma cache_size = -16000`
export const synchronous = 'pragma synchronous'
export const journalMode = 'pragma journal_mode'
export const foreignKeys = 'pragma foreign_keys'
export const busyTimeout = 'pragma busy_timeout'
export const secureDelete = 'pragma secure_delete'
export const fileSize = 'select page_count * page_size as bytes from pragma_page_count() cross join pragma_page_size()'
export const fileName = "select file from pragma_database_list where name = 'main'"
export const vacuum = 'vacuum'
export const vacuumSome = 'pragma incremental_vacuum(64)'
export const freePages = 'pragma freelist_count'
export const vacuumInto = 'vacuum into :file'
export const checkpoint = 'pragma wal_checkpoint(truncate)'

// conversations

const conversationColumns = `id, title, folder, tags, pinned, archived, meta, created_at, updated_at, entries, bytes`

/** Of one that is being deleted, rows are left for a while. */
const stays = `not exists (
  select 1 from tombstone
  where tombstone.workspace_id = conversation.workspace_id and tombstone.conversation_id = conversation.id
)`

export const conversation = `
  select ${conversationColumns} from conversation where workspace_id = :workspace and id = :conversation and ${stays}`
export const tombstone = `select 1 from tombstone where workspace_id = :workspace and conversation_id = :conversation`
export const hasConversation = `
  select 1 from conversation where workspace_id = :workspace and id = :conversation and ${stays}`
export const addConversation = `
  insert into conversation (workspace_id, id, title, folder, tags, meta, created_at, updated_at, touched, seal, stamp, branches)
  values (:workspace, :conversation, :title, :folder, :tags, :meta, :at, :at, substr(:at, 1, 15), :seal, :stamp, 0)`
export const setTitle = `
  update conversation set title = :title, seal = :seal, revision = revision + 1
  where workspace_id = :workspace and id = :conversation`
export const setConversation = `
  update conversation
  set title = :title, folder = :folder, tags = :tags, pinned = :pinned, archived = :archived, meta = :meta,
    updated_at = :at, touched = substr(:at, 1, 15), revision = revision + 1, seal = :seal, stamp = :stamp
  where workspace_id = :workspace and id = :conversation`
/** What the seal of a conversation covers. */
export const sealed = `
  select title, folder, tags, pinned, archived, meta, created_at from conversation
  where workspace_id = :workspace and id = :conversation`

// a write to a conversation begins with one of these, and fails when it is not as it is remembered

const asRemembered = `where workspace_id = :workspace and id = :conversation and revision = :revision
    and (select user_version from pragma_user_version) <= :format`

/** Drafts, branches or events change. */
export const stir = `update conversation set revision = revision + 1, events = events + :events ${asRemembered}`
/** Entries are added; no index has to know. */
export const grow = `
  update conversation set revision = revision + 1, events = events + :events, entries = entries + :entries,
    bytes = bytes + :bytes, updated_at = :at, stamp = :stamp
  ${asRemembered}`
/** The same, when the list has to show it further up, or a search has to look at it. */
export const growAndShow = `
  update conversation set revision = revision + 1, events = events + :events, entries = entries + :entries,
    bytes = bytes + :bytes, updated_at = :at, stamp = :stamp, touched = substr(:at, 1, 15), stale = 1
  ${asRemembered}`
/** After a change that is not about where the conversation stands. */
export const forgetStanding = `
  update conversation set revision = revision + 1 where workspace_id = :workspace and id = :conversation`
export const standing = `
  select revision, entries, events, stale, touched from conversation
  where workspace_id = :workspace and id = :conversation and ${stays}`

const listed = `
  select ${conversationColumns} from conversation
  where workspace_id = :workspace and pinned = :pinned
    and (:archived is null or archived = :archived)
    and (:folder is null or folder = :folder)
    and (:tag is null or exists (select 1 from json_each(tags) where value = :tag))
    and ${stays}`
/** Only those that were touched in the same ten minutes are sorted. */
export const listFirst = `${listed} order by touched desc, updated_at desc, id limit :limit`
export const listAfter = `${listed}
    and touched <= substr(:at, 1, 15) and updated_at <= :at and (updated_at < :at or id > :after)
  order by touched desc, updated_at desc, id limit :limit`

// entries

const linkColumns = `entry.seq, entry.id, entry.depth, entry.total, entry.turns, entry.opener_id, entry.summary_id, entry.hash`
/** Facts and body in one column: few values for each row cross into JavaScript several times faster than twenty. */
const entryColumns = `'[' || json_array(entry.id, entry.tokens, entry.at, entry.author, entry.model, json(entry.meta)) || ',' ||
    json_array(entry.seq, entry.parent_id, entry.depth, entry.total, entry.turns) || ',' ||
    json_array(entry.opener_id, entry.summary_id, lower(hex(entry.content_hash)), lower(hex(entry.hash)), entry.redacted)
    || ',' || entry.body || ']' as entry, entry.text`

/** The end of a branch; no row when it has no entry. */
export const endOfBranch = `
  select ${linkColumns}
  from branch
  cross join entry on entry.workspace_id = branch.workspace_id
    and entry.conversation_id = branch.conversation_id and entry.id = branch.head_id
  where branch.workspace_id = :workspace and branch.conversation_id = :conversation and branch.name = :branch`
export const linkById = `
  select ${linkColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and id = :id`
export const entryById = `
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and id = :id`
export const seqById = `
  select seq from entry where workspace_id = :workspace and conversation_id = :conversation and id = :id`
/** Changes nothing when there is an entry with this id. */
export const addEntry = `
  insert into entry (workspace_id, conversation_id, seq, parent_seq, depth, tokens, total, turns, id, parent_id,
    opener_id, summary_id, call_id, content_hash, hash, at, author, model, text, body, meta)
  values (:workspace, :conversation, :seq, :parentSeq, :depth, :tokens, :total, :turns, :id, :parent,
    :opener, :summary, :callId, :contentHash, :hash, :at, :author, :model, :text, :body, :meta)
  on conflict (workspace_id, conversation_id, id) do nothing`
export const entriesBetween = `
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and seq between :first and :last
  order by seq`
export const entriesAfter = `
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and seq > :after
  order by seq limit :limit`
/** Each with its place in the list of those that are asked for. */
export const entriesAt = `
  select asked.key as at, ${entryColumns}
  from json_each(:spots) asked
  cross join entry on entry.workspace_id = :workspace and entry.conversation_id = asked.value ->> 0
    and entry.seq = asked.value ->> 1`
/** Of the whole workspace, by conversation. */
export const entriesBehind = `
  select entry.conversation_id, entry.seq, ${entryColumns} from entry
  where workspace_id = :workspace and (conversation_id, seq) > (:conversation, :seq)
  order by conversation_id, seq limit :limit`
export const roots = `
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and parent_seq is null
  order by seq`
export const childrenOf = `
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and seq = :parent + 1 and parent_seq = :parent
  union all
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation
    and parent_seq = :parent and parent_seq <> seq - 1`

/** Newest first, from an entry towards the root. */
export const path = `
  with recursive walk (place, parent_seq, taken) as (
    select rowid, parent_seq, 1 from entry
    where workspace_id = :workspace and conversation_id = :conversation and id = :head and 0 < :limit
    union all
    select entry.rowid, entry.parent_seq, walk.taken + 1
    from walk cross join entry on entry.workspace_id = :workspace and entry.conversation_id = :conversation
      and entry.seq = walk.parent_seq
    where walk.taken < :limit
  )
  select ${entryColumns} from walk cross join entry on entry.rowid = walk.place`

/**
 * Newest first, from the head of a branch; stops behind the entry that crosses a limit. The opener and the newest summary
 * of the path come after it, with a mark, whether or not they are on the way.
 */
export const window = `
  with recursive walk (place, parent_seq, taken, least_total, least_turns, opener_id, summary_id) as (
    select entry.rowid, entry.parent_seq, 0, entry.total - :tokens, entry.turns - :back, entry.opener_id, entry.summary_id
    from branch join entry on entry.workspace_id = branch.workspace_id
      and entry.conversation_id = branch.conversation_id and entry.id = branch.head_id
    where branch.workspace_id = :workspace and branch.conversation_id = :conversation and branch.name = :branch
    union all
    select entry.rowid, entry.parent_seq, walk.taken + 1, walk.least_total, walk.least_turns, null, null
    from walk cross join entry on entry.workspace_id = :workspace and entry.conversation_id = :conversation
      and entry.seq = walk.parent_seq
    where entry.total >= walk.least_total and walk.taken + 1 <= :entries and entry.turns >= walk.least_turns
  )
  select 0 as aside, ${entryColumns} from walk cross join entry on entry.rowid = walk.place
  union all
  select 1, ${entryColumns} from walk cross join entry on entry.workspace_id = :workspace
    and entry.conversation_id = :conversation and entry.id in (walk.opener_id, walk.summary_id)
  where walk.taken = 0`

export const bareEntry = `
  update entry set text = '', body = :body, meta = null, redacted = 1
  where workspace_id = :workspace and conversation_id = :conversation and id = :id`

/** Where a branch ends, and whether what is remembered of its conversation still holds. */
export const headAndRevision = `
  select conversation.revision, branch.head_id
  from conversation
  cross join branch on branch.workspace_id = conversation.workspace_id and branch.conversation_id = conversation.id
    and branch.name = :branch
  where conversation.workspace_id = :workspace and conversation.id = :conversation`
export const revisionOf = `
  select revision from conversation where workspace_id = :workspace and id = :conversation and ${stays}`

/** A row if the branch leads on from the entry; along a path `seq` grows, so the walk ends there. */
export const leadsOn = `
  with recursive
    start (seq) as (
      select seq from entry where workspace_id = :workspace and conversation_id = :conversation and id = :parent
    ),
    walk (seq, parent_seq) as (
      select entry.seq, entry.parent_seq
      from branch
      join entry on entry.workspace_id = branch.workspace_id and entry.conversation_id = branch.conversation_id
        and entry.id = branch.head_id
      where branch.workspace_id = :workspace and branch.conversation_id = :conversation and branch.name = :branch
      union all
      select entry.seq, entry.parent_seq
      from walk cross join entry on entry.workspace_id = :workspace and entry.conversation_id = :conversation
        and entry.seq = walk.parent_seq
      where walk.seq > (select seq from start)
    )
  select 1 from walk where seq = (select seq from start)`

// tool calls

export const addCallRow = `
  insert or ignore into call (workspace_id, conversation_id, call_id, seq)
  values (:workspace, :conversation, :callId, :seq)`

/** The newest entry of a path that made a call or answered it, looking no further back than the first such call. */
export const lastWord = `
  with recursive
    first (seq) as (
      select min(seq) from call
      where workspace_id = :workspace and conversation_id = :conversation and call_id = :callId
    ),
    walk (seq, parent_seq, answers) as (
      select seq, parent_seq, call_id is :callId from entry
      where workspace_id = :workspace and conversation_id = :conversation and seq = :start
        and seq >= (select seq from first)
      union all
      select entry.seq, entry.parent_seq, entry.call_id is :callId
      from walk cross join entry on entry.workspace_id = :workspace and entry.conversation_id = :conversation
        and entry.seq = walk.parent_seq
      where entry.seq >= (select seq from first)
    )
  select answers from walk
  where answers or exists (
    select 1 from call
    where call.workspace_id = :workspace and call.conversation_id = :conversation
      and call.call_id = :callId and call.seq = walk.seq
  )
  limit 1`

// branches

export const branchByName = `
  select name, head_id, updated_at from branch
  where workspace_id = :workspace and conversation_id = :conversation and name = :branch`
export const allBranches = `
  select name, head_id, updated_at from branch
  where workspace_id = :workspace and conversation_id = :conversation
  order by name`
export const moveBranch = `
  insert into branch (workspace_id, conversation_id, name, head_id, updated_at, seal)
  values (:workspace, :conversation, :branch, :head, :at, :seal)
  on conflict (workspace_id, conversation_id, name) do update set head_id = :head, updated_at = :at, seal = :seal`
/** One branch more, or one less. */
export const countBranch = `
  update conversation set branches = branches + :more where workspace_id = :workspace and id = :conversation`
export const removeBranch = `
  delete from branch where workspace_id = :workspace and conversation_id = :conversation and name = :branch`

// drafts

const draftColumns = 'id, conversation_id, branch, parent_id, text, body, epoch, at'

export const draftById = `
  select ${draftColumns} from draft
  where workspace_id = :workspace and conversation_id = :conversation and id = :id`
export const drafts = `
  select ${draftColumns} from draft
  where workspace_id = :workspace and conversation_id = :conversation
  order by id`
export const addDraft = `
  insert into draft (workspace_id, conversation_id, id, branch, parent_id, text, body, epoch, lease_until, at)
  values (:workspace, :conversation, :id, :branch, :parent, '', :body, 1, :until, :at)`
export const saveDraft = `
  update draft set text = :text, body = :body, lease_until = :until
  where workspace_id = :workspace and conversation_id = :conversation and id = :id`
export const removeDraft = `
  delete from draft where workspace_id = :workspace and conversation_id = :conversation and id = :id`
export const claimed = `
  update conversation set revision = revision + 1
  where workspace_id = :workspace and id in (select value from json_each(:conversations))`
export const claimDrafts = `
  update draft set epoch = epoch + 1, lease_until = :until
  where workspace_id = :workspace and (lease_until <= :now or lease_until >= :end)
  returning ${draftColumns}`

// blobs

export const blobFacts = `
  select sha256, media_type, size from blob where workspace_id = :workspace and sha256 = :sha256`
export const blobById = `
  select sha256, media_type, size, bytes from blob where workspace_id = :workspace and sha256 = :sha256`
export const addBlob = `
  insert into blob (workspace_id, sha256, media_type, size, bytes)
  values (:workspace, :sha256, :mediaType, :size, :bytes)`
export const referBlob = `
  insert or ignore into blob_ref (workspace_id, conversation_id, sha256) values (:workspace, :conversation, :sha256)`

// receipts

const receiptColumns = 'id, conversation_id, entry_id, at, body'

export const receiptById = `select ${receiptColumns} from receipt where workspace_id = :workspace and id = :id`
export const addReceipt = `
  insert into receipt (workspace_id, id, conversation_id, entry_id, at, body, seal)
  values (:workspace, :id, :conversation, :entry, :at, :body, :seal)
  on conflict (workspace_id, id) do nothing`
export const receiptsFirst = `
  select ${receiptColumns} from receipt
  where workspace_id = :workspace and conversation_id = :conversation
  order by at desc, id limit :limit`
export const receiptsAfter = `
  select ${receiptColumns} from receipt
  where workspace_id = :workspace and conversation_id = :conversation
    and at <= :at and (at < :at or id > :after)
  order by at desc, id limit :limit`

// idempotency

export const answered = `
  select request, first_seq, last_seq from idempotency
  where workspace_id = :workspace and conversation_id = :conversation and key = :key`
export const addAnswer = `
  insert into idempotency (workspace_id, conversation_id, key, request, first_seq, last_seq)
  values (:workspace, :conversation, :key, :request, :first, :last)`

// removal

/** A first sieve: the reader looks whether they really name the blob. */
export const mentions = `
  select ${entryColumns} from entry
  where workspace_id = :workspace and conversation_id = :conversation and id <> :id
    and (instr(body, :sha256) or instr(meta, :sha256))`
export const freeBlob = `
  delete from blob_ref where workspace_id = :workspace and conversation_id = :conversation and sha256 = :sha256`
export const removeUnused = `
  delete from blob where workspace_id = :workspace and sha256 = :sha256 and not exists (
    select 1 from blob_ref where blob_ref.workspace_id = blob.workspace_id and blob_ref.sha256 = blob.sha256
  )`

const owned = 'where workspace_id = :workspace and conversation_id = :conversation'

export const ownedBlobs = `
  select sha256 from blob_ref ${owned} and not exists (
    select 1 from blob_ref as other
    where other.workspace_id = blob_ref.workspace_id and other.sha256 = blob_ref.sha256
      and other.conversation_id <> blob_ref.conversation_id
  )`
export const removeBlob = 'delete from blob where workspace_id = :workspace and sha256 = :sha256'
export const removeAll = {
  idempotency: `delete from idempotency ${owned}`,
  call: `delete from call ${owned}`,
  receipt: `delete from receipt ${owned}`,
  draft: `delete from draft ${owned}`,
  branch: `delete from branch ${owned}`,
  entry: `delete from entry ${owned}`,
  blobRef: `delete from blob_ref ${owned}`,
  redaction: `delete from redaction ${owned}`,
  conversation: 'delete from conversation where workspace_id = :workspace and id = :conversation',
}
export const addRedaction = `
  insert or ignore into redaction (workspace_id, conversation_id, seq, seal)
  values (:workspace, :conversation, :seq, :seal)`
export const addTombstone = `
  insert or ignore into tombstone (workspace_id, conversation_id) values (:workspace, :conversation)`

// the rows of a conversation that is being deleted, from its end on

export const hide = `
  update conversation set revision = revision + 1, stale = 0 where workspace_id = :workspace and id = :conversation`
export const removeBehind = {
  call: `delete from call ${owned} and seq > :after`,
  redaction: `delete from redaction ${owned} and seq > :after`,
  entry: `delete from entry ${owned} and seq > :after`,
}
export const removeSomeReceipts = `
  delete from receipt where rowid in (select rowid from receipt ${owned} limit :limit)`
