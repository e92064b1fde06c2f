/** Statements about what stands beside the log: events, records, and what entries are found by. */

const owned = 'where workspace_id = :workspace and conversation_id = :conversation'

/** Another number once any other connection has written. */
export const dataVersion = 'pragma data_version'

// drafts

export const renewDraft = `update draft set lease_until = :until ${owned} and id = :id`

// events

/** So many rows at once: each statement costs more than a row. */
const rows = (most: number, row: (i: number) => string): readonly string[] =>
  Array.from({ length: most }, (_, count) => Array.from({ length: count + 1 }, (_, i) => row(i)).join(', '))

export const addEvents = rows(
  8,
  (i) => `(:workspace, :conversation, :first + ${i}, :type${i}, :data${i}, :at${i})`,
).map((values) => `insert into event (workspace_id, conversation_id, number, type, data, at) values ${values}`)
export const eventSpan = `
  select events as newest, (
    select min(number) from event
    where event.workspace_id = :workspace and event.conversation_id = :conversation
  ) as oldest
  from conversation where workspace_id = :workspace and id = :conversation`
export const eventsAfter = `
  select number, type, data, at from event ${owned} and number > :after order by number limit :limit`
export const trimEvents = `delete from event ${owned} and number <= :upTo`

// records

const recordColumns = 'place, kind, id, conversation_id, body, revision, created_at, updated_at'

export const recordById = `
  select ${recordColumns} from record where workspace_id = :workspace and kind = :kind and id = :id`
/** Those that are new, or have the revision that was seen; the others are left as they are. */
export const putRecords = rows(
  4,
  (i) => `(:workspace, :kind${i}, :id${i}, :owner${i}, :body${i}, :revision${i}, :createdAt${i}, :updatedAt${i})`,
).map(
  (values) => `
  insert into record (workspace_id, kind, id, conversation_id, body, revision, created_at, updated_at)
  values ${values}
  on conflict (workspace_id, kind, id) do update
    set body = excluded.body, revision = excluded.revision, updated_at = excluded.updated_at
    where record.revision = excluded.revision - 1 and record.created_at = excluded.created_at`,
)
export const removeRecord = 'delete from record where workspace_id = :workspace and kind = :kind and id = :id'
const listed = (more: string): string => `
  select ${recordColumns} from record
  where workspace_id = :workspace and kind = :kind ${more} and place < :before
  order by place desc limit :limit`
export const records = listed("and kind <> 'run'")
/** Without an index of their own. */
export const runs = listed('')
export const recordsIn = `
  select ${recordColumns} from record ${owned} and kind = :kind and place < :before
  order by place desc limit :limit`
export const recordsOwned = `select ${recordColumns} from record ${owned}`

// search

export const unsearched = `
  select id, indexed, entries from conversation
  where workspace_id = :workspace and stale = 1 and id > :after
  order by id limit :limit`
export const takenIn = `
  select indexed, (
    select count(*) from entry
    where workspace_id = :workspace and conversation_id = :conversation and seq > :from and seq <= :upTo and redacted = 1
  ) as bare
  from conversation where workspace_id = :workspace and id = :conversation`
export const setIndexed = `
  update conversation set indexed = :indexed, stale = :indexed < entries, revision = revision + 1
  where workspace_id = :workspace and id = :conversation
  returning revision`
export const addSearched = `
  insert into search_entry (workspace_id, conversation_id, seq, role, instant)
  values (:workspace, :conversation, :seq, :role, :instant)
  returning place`
export const addTerms = (table: string): string => `insert into ${table} (rowid, terms) values (-:place, :terms)`
/** The words lead the way, the newest (whose rowid is the lowest) first; what they do not say is looked up for each. */
export const searchWords = (table: string): string => `
  select search_entry.place, search_entry.conversation_id, search_entry.seq, search_entry.role, conversation.title
  from ${table}
  cross join search_entry on search_entry.place = -${table}.rowid
  cross join conversation on conversation.workspace_id = :workspace and conversation.id = search_entry.conversation_id
  where ${table} match :words and ${table}.rowid > -:before
    and search_entry.workspace_id = :workspace
    and (:conversation is null or search_entry.conversation_id = :conversation)
    and (:role is null or search_entry.role = :role)
    and (:since is null or search_entry.instant >= :since)
    and (:until is null or search_entry.instant < :until)
    and (:tag is null or exists (select 1 from json_each(conversation.tags) where value = :tag))
    and (:spans is null or exists (
      select 1 from json_each(:spans) where search_entry.seq between value ->> 0 and value ->> 1
    ))
  order by ${table}.rowid limit :limit`
/** The numbers of the path of a branch, from its head to the root. */
export const pathSeqs = `
  with recursive walk (seq, parent_seq) as (
    select entry.seq, entry.parent_seq
    from branch join entry on entry.workspace_id = branch.workspace_id
      and entry.conversation_id = branch.conversation_id and entry.id = branch.head_id
    where branch.workspace_id = :workspace and branch.conversation_id = :conversation and branch.name = :branch
    union all
    select entry.seq, entry.parent_seq
    from walk cross join entry on entry.workspace_id = :workspace and entry.conversation_id = :conversation
      and entry.seq = walk.parent_seq
  )
  select seq from walk`
export const tagged = `
  select id from conversation
  where workspace_id = :workspace and exists (select 1 from json_each(tags) where value = :tag)`
export const lastPlace = 'select max(place) as place from search_entry where workspace_id = :workspace'
export const searchedAt = `
  select search_entry.place, search_entry.conversation_id, search_entry.seq, search_entry.role, conversation.title
  from search_entry
  cross join conversation on conversation.workspace_id = :workspace and conversation.id = search_entry.conversation_id
  where search_entry.workspace_id = :workspace and search_entry.place = :place`

// vectors

/** Vectors are put in the order of places, so that none is missing before the last. */
export const unembedded = `
  select search_entry.conversation_id, search_entry.seq, entry.text
  from search_entry
  cross join entry on entry.workspace_id = :workspace and entry.conversation_id = search_entry.conversation_id
    and entry.seq = search_entry.seq
  where search_entry.workspace_id = :workspace and search_entry.place > (
    select coalesce(max(place), 0) from search_vector where workspace_id = :workspace and model = :model
  )
  order by search_entry.place limit :limit`
export const putVector = `
  insert or ignore into search_vector (workspace_id, model, place, vector)
  select :workspace, :model, place, :vector from search_entry ${owned} and seq = :seq`
/** All of a page in one row: a hundred thousand of them would take seconds to cross into JavaScript. */
export const vectorsAfter = `
  select json_group_array(json_array(place, conversation_id, seq, role, instant, length(vector))) as facts,
    group_concat(hex(vector), '') as vectors
  from (
    select search_vector.place, search_vector.vector, search_entry.conversation_id, search_entry.seq, search_entry.role,
      search_entry.instant
    from search_vector
    cross join search_entry on search_entry.workspace_id = :workspace and search_entry.place = search_vector.place
    where search_vector.workspace_id = :workspace and search_vector.model = :model and search_vector.place > :after
    order by search_vector.place limit :limit
  )`
export const living = `
  select place from search_entry
  where workspace_id = :workspace and place in (select value from json_each(:places))`
export const removeVectors = 'delete from search_vector where workspace_id = :workspace'

// sheets

/** Where words went meanwhile, it is not kept. */
export const putSheet = `
  insert into sheet (workspace_id, conversation_id, kind, first, last, bytes)
  select :workspace, :conversation, :kind, :first, :last, :bytes
  where :bare = (
    select count(*) from redaction
    where workspace_id = :workspace and conversation_id = :conversation and seq between :first and :last
  )
  on conflict (workspace_id, conversation_id, kind, first) do update
    set last = excluded.last, bytes = excluded.bytes where excluded.last > sheet.last`
export const sheets = `select first, last, bytes from sheet ${owned} and kind = :kind order by first`
export const sheetsAt = `
  select first, last, bytes from sheet ${owned} and kind = :kind and first in (select value from json_each(:firsts))
  order by first`
/** Those that an entry is in, or all. */
export const removeSheets = `delete from sheet ${owned} and (:seq is null or :seq between first and last)`

// making anew

export const searchPlace = `select place from search_entry ${owned} and seq = :seq`
export const termsAt = (table: string): string => `select terms from ${table} where rowid = -:place`
export const replaceTerms = (table: string): string => `update ${table} set terms = :terms where rowid = -:place`
export const setSearched = `update search_entry set role = :role, instant = :instant ${owned} and seq = :seq`
export const indexedOf = 'select indexed from conversation where workspace_id = :workspace and id = :conversation'

// removal

/** Of one entry, or of all of them when \`seq\` is null; their words go in the background. */
export const loseTerms = `
  insert or ignore into search_gone (place) select place from search_entry ${owned} and (:seq is null or seq = :seq)`
export const removeSearched = `delete from search_entry ${owned} and (:seq is null or seq = :seq)`
export const loseTermsBehind = `
  insert or ignore into search_gone (place) select place from search_entry ${owned} and seq > :after`
export const removeSearchedBehind = `delete from search_entry ${owned} and seq > :after`
export const removeEventsBehind = `delete from event ${owned} and number > :after`
export const removeSomeRecords = `
  delete from record where place in (select place from record ${owned} limit :limit)`
export const removeRecords = `delete from record ${owned}`
export const removeEvents = `delete from event ${owned}`

// parts of the index, and words that go from it: by places, which say nothing of whose they are

export const partAt = 'select max(first) as first from search_part where first <= :place'
export const addPart = 'insert into search_part (first) values (:first)'
/** From the part of the workspace's first place to that below which is looked. */
export const partsBelow = `
  select first from search_part
  where first < :before and first >= (
    select coalesce(max(first), 0) from search_part
    where first <= (select min(place) from search_entry where workspace_id = :workspace)
  ) and first <= (select max(place) from search_entry where workspace_id = :workspace)
  order by first desc`
export const gonePlaces = 'select place from search_gone order by place limit :limit'
export const forgetGone = 'delete from search_gone where place = :place'
export const makePart = (table: string): string => `
  create virtual table ${table} using fts5 (terms, detail = none, columnsize = 0, tokenize = 'ascii', prefix = '2 3');
  insert into ${table} (${table}, rank) values ('secure-delete', 1)`
export const strikeOut = (table: string): string => `delete from ${table} where rowid = -:place`
