/** What format 7 adds: proof of what no hash covers, so that a changed bit shows, and the list of what was redacted on purpose. */
export const m007 = `
-- a CRC-32 of the other columns, as seal.ts computes it; null where it was never written
alter table conversation add column seal integer;
alter table branch add column seal integer;
alter table receipt add column seal integer;

-- the entries whose words were removed by someone who asked for it
create table redaction (
  workspace_id text not null,
  conversation_id text not null,
  seq integer not null,
  -- of what is left of the entry, which its hash no longer proves
  seal integer,
  primary key (workspace_id, conversation_id, seq),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id)
) without rowid;
insert into redaction select workspace_id, conversation_id, seq, null from entry where redacted;
`
