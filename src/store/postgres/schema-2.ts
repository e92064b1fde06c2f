/** What format 2 adds: events, records, and what entries are found by. */
export const addedInFormat2 = `
  alter table conversation add column events bigint not null default 0, add column indexed bigint not null default 0;
  create index conversation_unsearched on conversation (workspace_id, id) where indexed < entries;
  comment on column conversation.events is 'the number of the last event';
  comment on column conversation.indexed is 'the seq up to which its entries can be found';

  create table event (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    number          bigint not null,
    type            text not null,
    data            json not null,
    at              text not null,
    primary key (workspace_id, conversation_id, number),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  );

  create table record (
    workspace_id    text collate "C" not null,
    kind            text collate "C" not null,
    id              text collate "C" not null,
    conversation_id text collate "C",
    body            json not null,
    revision        bigint not null default 1,
    created_at      text not null,
    updated_at      text not null,
    place           bigint generated always as identity,
    primary key (workspace_id, kind, id),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  ) with (fillfactor = 80);
  create index record_by_place on record (workspace_id, kind, place);
  create index record_by_conversation on record (workspace_id, conversation_id, kind, place)
    where conversation_id is not null;
  comment on column record.place is 'the order in which they were made';

  create table search_entry (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    seq             bigint not null,
    role            text not null,
    instant         bigint,
    terms           tsvector not null,
    place           bigint generated always as identity,
    primary key (workspace_id, conversation_id, seq),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
  );
  create index search_entry_by_term on search_entry using gin (terms) with (gin_pending_list_limit = 256);
  comment on column search_entry.place is 'the order in which they are found, the last first';
  comment on column search_entry.instant is 'milliseconds since 1970, if the time of the entry is one';
  comment on column search_entry.terms is 'its words, its workspace and conversation as hashes, and "*" in every row';
`

/**
 * The wall of \`search_entry\`. What may leak is not looked up by index before a wall, so the words that are asked for stand
 * in it; where none are, it is the one that every row has.
 */
export const searchWall = `
  alter table search_entry enable row level security, force row level security;
  create policy search_entry_workspace on search_entry using (
    workspace_id = current_setting('throughline.workspace', true)
    and terms @@ coalesce(nullif(current_setting('throughline.words', true), ''), '*')::tsquery
  );`
