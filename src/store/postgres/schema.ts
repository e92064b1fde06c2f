/**
 * The tables, readable by strangers: docs/format.md describes them. `workspace_id` comes first in every key and index, so
 * that a distributed PostgreSQL can place them by it unchanged. Text that is compared or ordered has the collation "C": the
 * order of code points, whatever the server's language. Times of callers are kept as the text they gave.
 */

import { addedInFormat2, searchWall } from './schema-2.js'
import { meaning } from './schema-3.js'
import { packed } from './schema-5.js'
import { bareSeal } from './sql/seal.js'

/** Each after those that it refers to; nine are as old as the first format. */
export const tables: readonly string[] = [
  ...['conversation', 'entry', 'branch', 'draft', 'blob', 'blob_ref', 'receipt', 'idempotency', 'tombstone'],
  ...['event', 'record', 'search_entry', 'search_vector', 'sheet'],
]

/** One step per format version; the first makes version 1. A released step is never changed. */
export const steps: readonly string[] = [
  `
  create table conversation (
    workspace_id text collate "C" not null,
    id           text collate "C" not null,
    title        text not null,
    folder       text collate "C",
    tags         text[] collate "C" not null,
    pinned       boolean not null default false,
    archived     boolean not null default false,
    meta         json not null,
    created_at   text collate "C" not null,
    updated_at   text collate "C" not null,
    entries      bigint not null default 0,
    bytes        bigint not null default 0,
    primary key (workspace_id, id)
  );
  create index conversation_by_time on conversation (workspace_id, pinned desc, updated_at desc, id);

  create table entry (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    seq             bigint not null,
    parent_seq      bigint check (parent_seq < seq),
    depth           bigint not null,
    tokens          bigint not null,
    total           bigint not null,
    turns           bigint not null,
    id              text collate "C" not null,
    parent_id       text collate "C",
    opener_id       text collate "C",
    summary_id      text collate "C",
    call_id         text collate "C",
    calls           text[] collate "C",
    redacted        boolean not null default false,
    content_hash    text not null,
    hash            text not null,
    at              text not null,
    author          text,
    model           text,
    text            text not null,
    body            json not null,
    meta            json,
    primary key (workspace_id, conversation_id, seq),
    unique (workspace_id, conversation_id, id),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  );
  create index entry_by_parent on entry (workspace_id, conversation_id, parent_seq, seq);
  comment on column entry.total is 'tokens of the path up to and including this entry';
  comment on column entry.turns is 'user messages of the path up to and including this entry';
  comment on column entry.call_id is 'the tool call whose result the entry is';
  comment on column entry.calls is 'the tool calls that the entry makes';

  create table branch (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    name            text collate "C" not null,
    head_id         text collate "C",
    updated_at      text not null,
    primary key (workspace_id, conversation_id, name),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  ) with (fillfactor = 80);

  create table draft (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    id              text collate "C" not null,
    branch          text collate "C" not null,
    parent_id       text collate "C",
    text            text not null default '',
    body            json not null default 'null',
    epoch           bigint not null default 1,
    at              text not null,
    lease_until     timestamptz not null,
    primary key (workspace_id, conversation_id, id),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  );
  create index draft_by_lease on draft (workspace_id, lease_until);

  create table blob (
    workspace_id text collate "C" not null,
    sha256       text collate "C" not null,
    media_type   text not null,
    size         bigint not null,
    bytes        bytea not null,
    primary key (workspace_id, sha256)
  );

  create table blob_ref (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    sha256          text collate "C" not null,
    primary key (workspace_id, conversation_id, sha256),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id),
    foreign key (workspace_id, sha256) references blob (workspace_id, sha256)
  );
  create index blob_ref_by_blob on blob_ref (workspace_id, sha256);

  create table receipt (
    workspace_id    text collate "C" not null,
    id              text collate "C" not null,
    conversation_id text collate "C" not null,
    entry_id        text collate "C",
    at              text collate "C" not null,
    body            json not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  );
  create index receipt_by_time on receipt (workspace_id, conversation_id, at desc, id);

  create table idempotency (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    key             text collate "C" not null,
    request         text not null,
    first_seq       bigint not null,
    last_seq        bigint not null,
    kept_since      timestamptz not null default now(),
    primary key (workspace_id, conversation_id, key),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  );

  create table tombstone (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    removed_at      timestamptz not null default now(),
    primary key (workspace_id, conversation_id)
  );

  create view conversation_text with (security_invoker = true) as
    select e.workspace_id, e.conversation_id, c.title, e.seq, e.parent_seq, e.at,
      coalesce(e.author, e.body ->> 'role', e.body ->> 'kind') as who,
      case when e.redacted then '[redacted]' else e.text end as said
    from entry e join conversation c on c.workspace_id = e.workspace_id and c.id = e.conversation_id
    order by e.workspace_id, e.conversation_id, e.seq;
  ${tables.slice(0, 9).map(walled).join('')}
  `,
  // an entry that follows the one written just before it, as nearly all do, is found without an index
  `
  drop index entry_by_parent;
  create index entry_by_parent on entry (workspace_id, conversation_id, parent_seq, seq)
    where parent_seq is null or parent_seq <> seq - 1;
  comment on column entry.body is 'a text part without its text has the text of the column text';
  ${addedInFormat2} ${['event', 'record'].map(walled).join('')} ${searchWall}
  `,
  `${meaning} ${walled('search_vector')}`,
  // proof of what no hash covers; redactions from before it are taken for what they are
  `
  alter table receipt add column seal text;
  alter table entry add column seal text, no force row level security;
  update entry set seal = ${bareSeal()} where redacted;
  alter table entry force row level security;
  comment on column receipt.seal is 'an MD5 of the other columns; null where it was never written';
  comment on column entry.seal is 'of an entry whose words were removed: an MD5 of what is left';
  `,
  `${packed} ${walled('sheet')}`,
]

/**
 * The SQL that makes the schema, or brings an older format up to date: for those who migrate by a tool of their own and
 * open the store with `migrate: false`. One transaction; to be run once for each format.
 *
 * @example
 * ```ts
 * writeFileSync('throughline.sql', migrationSql({ schema: 'chat' }))
 * ```
 */
export function migrationSql({
  schema = 'throughline',
  from = 0,
}: {
  readonly schema?: string
  readonly from?: number
} = {}): string {
  return [
    `-- Throughline: format ${from} to ${steps.length}`,
    'begin;',
    `select pg_advisory_xact_lock(hashtextextended('throughline ${schema}', 0));`,
    `create schema if not exists "${schema}";`,
    `set local search_path to "${schema}", pg_temp;`,
    'create table if not exists format (version integer not null);',
    ...steps.slice(from).map((step) => `${step.trim().replace(/;?$/, ';')}`),
    'delete from format;',
    `insert into format (version) values (${steps.length});`,
    'commit;',
    '',
  ].join('\n')
}

/** The second wall: outside a transaction that names its workspace, even the owner of a table sees none of its rows. */
function walled(table: string): string {
  return `
  alter table ${table} enable row level security, force row level security;
  create policy ${table}_workspace on ${table} using (workspace_id = current_setting('throughline.workspace', true));`
}
