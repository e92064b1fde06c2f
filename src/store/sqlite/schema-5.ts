/** What format 5 changes: a write that finds nothing changed asks nothing, and moves no more pages than it must. */
export const m005 = `
-- one more with each change of entries, events, branches or drafts: what is remembered of a conversation holds as long as it does
alter table conversation add column revision integer not null default 0;
-- the beginning of updated_at: a list is read by it, and it does not move with every message
alter table conversation add column touched text not null default '';
-- whether entries can not be found yet
alter table conversation add column stale integer not null default 0;
update conversation set touched = substr(updated_at, 1, 15), stale = indexed < entries;

drop index conversation_by_time;
create index conversation_by_time on conversation (workspace_id, pinned, touched desc);
drop index conversation_unsearched;
create index conversation_unsearched on conversation (workspace_id, id) where stale = 1;

create table draft_5 (
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
) without rowid;
insert into draft_5 select workspace_id, conversation_id, id, branch, parent_id, text, body, epoch, lease_until, at from draft;
drop table draft;
alter table draft_5 rename to draft;
`
