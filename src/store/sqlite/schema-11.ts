/** What format 11 adds: what recall worked out of the words of a conversation, in rows of bytes; records had it as text before. */
export const m011 = `
create table sheet (
  place integer primary key,
  workspace_id text not null,
  conversation_id text not null,
  kind text not null,
  -- the seq of the first of its entries, and of the last
  first integer not null,
  last integer not null,
  bytes blob not null,
  unique (workspace_id, conversation_id, kind, first),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
);
delete from record where kind in ('recall', 'recall-pairs');
`
