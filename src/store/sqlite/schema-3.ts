/** What format 3 changes: the newest is found first without a walk to the end, and beginnings of words have lists of their own. */
export const m003 = `
drop table search_term;
-- what can be found is taken in anew, when someone asks
delete from search_entry;
update conversation set indexed = 0;
-- rowid is the place below zero; the words are prepared, so this splits at spaces and changes nothing
create virtual table search_term using fts5 (
  terms, detail = none, columnsize = 0, tokenize = 'ascii', prefix = '2 3'
);
insert into search_term (search_term, rank) values ('secure-delete', 1);
`
