/** What format 2 adds: events, records, and what entries are found by. */
export const m002 = `
-- the number of the last event, and the seq up to which entries can be found
alter table conversation add column events integer not null default 0;
alter table conversation add column indexed integer not null default 0;
create index conversation_unsearched on conversation (workspace_id, id) where indexed < entries;

create table event (
  workspace_id text not null,
  conversation_id text not null,
  number integer not null,
  type text not null,
  data text not null,
  at text not null,
  primary key (workspace_id, conversation_id, number),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
) without rowid;

create table record (
  -- the order in which they were made
  place integer primary key autoincrement,
  workspace_id text not null,
  kind text not null,
  id text not null,
  conversation_id text,
  body text not null,
  revision integer not null,
  created_at text not null,
  updated_at text not null,
  unique (workspace_id, kind, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
create index record_by_place on record (workspace_id, kind, place);
create index record_by_conversation on record (workspace_id, conversation_id, kind, place)
  where conversation_id is not null;

create table search_entry (
  -- the order in which they are found
  place integer primary key autoincrement,
  workspace_id text not null,
  conversation_id text not null,
  seq integer not null,
  role text not null,
  -- milliseconds since 1970, if the entry's time is one
  instant integer,
  unique (workspace_id, conversation_id, seq),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
-- rowid is the place; the words are prepared, so this splits at spaces and changes nothing
create virtual table search_term using fts5 (terms, detail = none, columnsize = 0, tokenize = 'ascii');
insert into search_term (search_term, rank) values ('secure-delete', 1);
`
