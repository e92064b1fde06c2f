/** What format 5 adds: what recall worked out of the words of a conversation, in rows of bytes; records had it as text before. */
export const packed = `
  create table sheet (
    workspace_id    text collate "C" not null,
    conversation_id text collate "C" not null,
    kind            text collate "C" not null,
    first           bigint not null,
    last            bigint not null,
    bytes           bytea not null,
    primary key (workspace_id, conversation_id, kind, first),
    foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
  );
  alter table sheet alter column bytes set storage external;
  comment on column sheet.first is 'the seq of the first of its entries';
  comment on column sheet.last is 'the seq of the last of its entries';
  alter table record no force row level security;
  delete from record where kind in ('recall', 'recall-pairs');
  alter table record force row level security;
`
