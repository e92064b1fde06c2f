/** The frame of a transaction, and who keeps whom out of a conversation. */
import { type Statement, sql } from './statement.js'

export const beginTransaction = sql('begin', 'begin')
export const commitWork = sql('commit', 'commit')
export const rollbackTransaction = sql('rollback', 'rollback')

// all settings end with the transaction: nothing is left on a connection for whoever has it next

/** A plan that has to sort looks dear to the server, and to compile it would take longer than to run it. */
const reading = `set_config('search_path', $1, true), set_config('throughline.workspace', $2, true),
    set_config('statement_timeout', $3, true), set_config('plan_cache_mode', $4, true),
    set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`

/** A commit is durable whatever the server's default. */
const durable = `case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end`

/** Where there is such a limit: a message of which only the beginning arrives does not hold its locks for ever. */
const brief = `case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', ($3::text::integer + 2500)::text, true) end`

export const readScope = sql('read_scope', `select ${reading}`)
export const writeScope = sql('write_scope', `select ${reading}, ${durable}, ${brief}`)

/** For a transaction that waits for its client between two messages. */
export const talkScope = sql(
  'talk_scope',
  `select ${reading}, ${durable}, set_config('idle_in_transaction_session_timeout', $3, true)`,
)

/** What a transaction of the caller's has set, and gets back after each call inside it. */
const lent = [
  'search_path',
  'statement_timeout',
  'plan_cache_mode',
  'enable_sort',
  'jit',
  'synchronous_commit',
  'idle_in_transaction_session_timeout',
]

export const sessionSettings = sql(
  'settings',
  `select ${lent.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
)
export const restore = sql(
  'restore',
  `select ${lent.map((name) => `set_config('${name}', $1::json ->> '${name}', true)`).join(', ')}`,
)

export const holdCall = sql('hold_call', 'savepoint throughline_call')
export const releaseCall = sql('release_call', 'release savepoint throughline_call')
export const undoCall = sql('undo_call', 'rollback to throughline_call')

/** Servers that a distributed one asks are told such settings, too. Not prepared: the value is part of it. */
export const tellServers = sql('tell_servers', "set local citus.propagate_set_commands to 'local'")
export const local = (name: string, value: string): Statement => ({
  name: '',
  text: `set local ${name} to e'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
})

/** Whoever listens to $1 hears $2 at the commit; only the server that is asked has listeners. */
export const ring = sql('ring', 'select pg_notify($1, $2)')

/** What a search asks for stands in the wall around what is searched. */
export const askWords = sql('ask_words', "select set_config('throughline.words', $1, true)")

/** What comes after it can be undone by itself. */
export const savepointOfWork = sql('savepoint', 'savepoint steps')
export const undoWork = sql('undo', 'rollback to steps')

/** One at a time takes in for a workspace, so that what is seen first also has the lower place. */
export const lockTaking = sql(
  'lock_taking',
  `select pg_advisory_xact_lock(hashtextextended('throughline ' || current_schema() || ' takes in ' || $1::text, 0))`,
)

/** Writers of one conversation follow one another; readers and the writers of drafts and receipts do not wait. */
export const lock = sql('lock', 'select 1 from conversation where workspace_id = $1 and id = $2 for no key update')

/** The conversation cannot be removed meanwhile. */
export const holdRow = sql('hold', 'select 1 from conversation where workspace_id = $1 and id = $2 for key share')

export const lockAlone = sql('lock_alone', 'select 1 from conversation where workspace_id = $1 and id = $2 for update')

export const state = sql(
  'state',
  `select exists (select from conversation where workspace_id = $1 and id = $2) as here,
    exists (select from tombstone where workspace_id = $1 and conversation_id = $2) as gone`,
)
