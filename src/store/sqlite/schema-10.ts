/** What format 10 adds: a release that does not know of revisions can no longer write, for others would not see that it did. */
export const m010 = `
create trigger conversation_revised before update of title, entries, events, indexed on conversation
when new.revision = old.revision
begin select raise(abort, 'this file has a newer format'); end;
`
