/** What entries are found by. */
import { hit } from './hit.js'
import { sql } from './statement.js'

const stale = `select id, indexed from conversation
      where workspace_id = $1 and indexed < entries and id > $2 order by id limit $3`

/** Whether there is any. */
export const anyUnsearched = sql(
  'any_unsearched',
  'select 1 from conversation where workspace_id = $1 and indexed < entries limit 1',
)

/** The next conversations with something new, behind $2; nobody else takes it in meanwhile. */
export const lockUnsearched = sql('lock_unsearched', `${stale} for no key update`)

export const unsearched = sql(
  'unsearched',
  `select stale.id as conversation_id, e.* from (${stale}) stale cross join lateral (
      select e.seq, e.at, e.text, e.body ->> 'kind' as kind, e.body ->> 'role' as role from entry e
        where e.workspace_id = $1 and e.conversation_id = stale.id and e.seq > stale.indexed order by e.seq limit $4
    ) e limit $4`,
)

/** Those behind $3, up to $4, that can be found; and up to where they should be. */
export const listed = sql(
  'listed',
  'select seq from search_entry where workspace_id = $1 and conversation_id = $2 and seq > $3 and seq <= $4',
)
export const indexed = sql('indexed', 'select indexed from conversation where workspace_id = $1 and id = $2')

/** Entry $3 of conversation $2; its place stays what it is. */
export const listEntry = sql(
  'list_entry',
  `insert into search_entry (workspace_id, conversation_id, seq, role, instant, terms)
    values ($1, $2, $3, $4, $5, array_to_tsvector(string_to_array($6, ' ')))
    on conflict (workspace_id, conversation_id, seq)
      do update set role = excluded.role, instant = excluded.instant, terms = excluded.terms`,
)

const behind = `select id, indexed from conversation where workspace_id = $1 and id >= $2 order by id limit $3`

/** The next conversations, from $2 on. */
export const lockBehind = sql('lock_behind', `${behind} for no key update`)

/** Their entries, those of $2 from $4 on. */
export const entriesBehind = sql(
  'entries_behind',
  `select c.id as conversation_id, e.* from (${behind}) c cross join lateral (
      select e.seq, e.at, e.text, e.body ->> 'kind' as kind, e.body ->> 'role' as role from entry e
        where e.workspace_id = $1 and e.conversation_id = c.id
          and e.seq > case when c.id = $2 then $4::bigint else 0 end
        order by e.seq limit $5
    ) e limit $5`,
)

export const setIndexed = sql(
  'set_indexed',
  `update conversation c set indexed = given.seq from unnest($2::text[], $3::bigint[]) as given (id, seq)
    where c.workspace_id = $1 and c.id = given.id`,
)

// as in the log: only an order that the planner may not sort makes it choose the index of the key

/** The words $8 stand in the wall too, where an index can be used; but a superuser walks through walls. */
const having = `
      select * from search_entry s
        where s.workspace_id = $1 and s.place < $2 and ($3::text is null or s.conversation_id = $3)
          and ($4::text is null or s.role = $4) and ($5::bigint is null or s.instant >= $5)
          and ($6::bigint is null or s.instant < $6) and s.terms @@ $8::tsquery
          and ($9::text is null or exists (
            select from conversation c where c.workspace_id = $1 and c.id = s.conversation_id and $9 = any (c.tags)
          ))
          and ($10::bigint[] is null or exists (
            select from unnest($10::bigint[], $11::bigint[]) as span (first, last) where s.seq between first and last
          ))
        order by s.place desc limit $7`

export const searchPage = sql(
  'search',
  `select ${hit.columns} from (${having}
    ) s
    ${hit.joins}`,
)

/** Where they stand, and nothing of what they say. */
export const locate = sql(
  'locate',
  `select s.place, s.conversation_id, s.seq from (${having}
    ) s`,
)

export const removeSearched = sql(
  'remove_owned_search_entry',
  'delete from search_entry where workspace_id = $1 and conversation_id = $2',
)

export const forgetEntry = sql(
  'forget_entry',
  'delete from search_entry where workspace_id = $1 and conversation_id = $2 and seq = $3',
)
