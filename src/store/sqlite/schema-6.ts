/** What format 6 changes: the index of words has parts, and the words of what is removed leave it in the background. */
export const m006 = `
-- the first place of each part; its table is search_term for 0, and search_term_ with the number for others
create table search_part (
  first integer primary key
);
insert into search_part (first) values (0);
-- places whose words are still in the index
create table search_gone (
  place integer primary key
);
`
