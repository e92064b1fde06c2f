/** Format 1. `docs/format.md` explains it to those who read the file without this library. */
export const m001 = `
create table conversation (
  workspace_id text not null,
  id text not null,
  title text not null,
  folder text,
  tags text not null,
  pinned integer not null default 0,
  archived integer not null default 0,
  meta text not null,
  created_at text not null,
  updated_at text not null,
  entries integer not null default 0,
  bytes integer not null default 0,
  primary key (workspace_id, id)
);
create index conversation_by_time on conversation (workspace_id, pinned, updated_at desc, id);

-- the small columns first: a walk along the parents reads no text
create table entry (
  workspace_id text not null,
  conversation_id text not null,
  seq integer not null,
  parent_seq integer check (parent_seq < seq),
  depth integer not null,
  tokens integer not null,
  total integer not null,
  turns integer not null,
  id text not null,
  parent_id text,
  opener_id text,
  summary_id text,
  call_id text,
  redacted integer not null default 0,
  content_hash blob not null,
  hash blob not null,
  at text not null,
  author text,
  model text,
  text text not null,
  -- a text part without its text has the text of the column before this one
  body text not null,
  meta text,
  primary key (workspace_id, conversation_id, seq),
  unique (workspace_id, conversation_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
-- an entry that follows the one written just before it is found without an index
create index entry_by_parent on entry (workspace_id, conversation_id, parent_seq, seq)
  where parent_seq is null or parent_seq <> seq - 1;

-- the tool calls that entries make
create table call (
  workspace_id text not null,
  conversation_id text not null,
  call_id text not null,
  seq integer not null,
  primary key (workspace_id, conversation_id, call_id, seq),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
) without rowid;

create table branch (
  workspace_id text not null,
  conversation_id text not null,
  name text not null,
  head_id text,
  updated_at text not null,
  primary key (workspace_id, conversation_id, name),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id),
  foreign key (workspace_id, conversation_id, head_id) references entry (workspace_id, conversation_id, id)
) without rowid;

create table draft (
  workspace_id text not null,
  conversation_id text not null,
  id text not null,
  branch text not null,
  parent_id text,
  text text not null,
  body text not null,
  epoch integer not null,
  lease_until real not null,
  at text not null,
  primary key (workspace_id, conversation_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);

create table blob (
  workspace_id text not null,
  sha256 text not null,
  media_type text not null,
  size integer not null,
  bytes blob not null,
  primary key (workspace_id, sha256)
);
create table blob_ref (
  workspace_id text not null,
  conversation_id text not null,
  sha256 text not null,
  primary key (workspace_id, conversation_id, sha256),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id),
  foreign key (workspace_id, sha256) references blob (workspace_id, sha256)
) without rowid;
create index blob_ref_by_blob on blob_ref (workspace_id, sha256);

create table receipt (
  workspace_id text not null,
  id text not null,
  conversation_id text not null,
  entry_id text,
  at text not null,
  body text not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
create index receipt_by_time on receipt (workspace_id, conversation_id, at desc, id);

create table idempotency (
  workspace_id text not null,
  conversation_id text not null,
  key text not null,
  request blob not null,
  first_seq integer not null,
  last_seq integer not null,
  primary key (workspace_id, conversation_id, key),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
) without rowid;

-- conversations that were deleted: none of them comes back
create table tombstone (
  workspace_id text not null,
  conversation_id text not null,
  primary key (workspace_id, conversation_id)
) without rowid;

create view conversation_text as
select
  entry.workspace_id,
  entry.conversation_id,
  conversation.title,
  entry.seq,
  entry.parent_seq,
  entry.at,
  coalesce(entry.author, entry.body ->> 'role', entry.body ->> 'kind') as who,
  case when entry.redacted then '[redacted]' else entry.text end as said
from entry
join conversation on conversation.workspace_id = entry.workspace_id and conversation.id = entry.conversation_id
order by entry.workspace_id, entry.conversation_id, entry.seq;
`
