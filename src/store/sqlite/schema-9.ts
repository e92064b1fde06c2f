/** What format 9 changes: a write moves fewer pages, because what is told and kept goes to the end of its table. */
export const m009 = `
create table event_9 (
  -- in the order in which they were told: inside a tree by conversation each of them splits pages
  place integer primary key,
  workspace_id text not null, conversation_id text not null, number integer not null,
  type text not null, data text not null, at text not null,
  unique (workspace_id, conversation_id, number),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
insert into event_9 (workspace_id, conversation_id, number, type, data, at)
select workspace_id, conversation_id, number, type, data, at from event;
drop table event;
alter table event_9 rename to event;

create table record_9 (
  -- the order in which they were made
  place integer primary key,
  workspace_id text not null, kind text not null, id text not null, conversation_id text,
  body text not null, revision integer not null, created_at text not null, updated_at text not null,
  unique (workspace_id, kind, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
insert into record_9 select place, workspace_id, kind, id, conversation_id, body, revision, created_at, updated_at from record;
drop table record;
alter table record_9 rename to record;
-- runs, of which there are the most, are only listed by conversation
create index record_by_place on record (workspace_id, kind, place) where kind <> 'run';
create index record_by_conversation on record (workspace_id, conversation_id, kind, place)
  where conversation_id is not null;
`
