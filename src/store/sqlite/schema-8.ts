/** What format 8 adds: how many branches a conversation has, and proof of its time, so that a row that is gone shows. */
export const m008 = `
alter table conversation add column branches integer;
-- a CRC-32 of updated_at; null where it was never written
alter table conversation add column stamp integer;
update conversation set branches = (
  select count(*) from branch where workspace_id = conversation.workspace_id and conversation_id = conversation.id
);
`
