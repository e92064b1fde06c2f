/** What format 4 adds: what entries mean, as vectors beside what they are found by. */
export const m004 = `
create unique index search_entry_by_place on search_entry (workspace_id, place);

create table search_vector (
  workspace_id text not null,
  -- whose vector it is, and of how many dimensions
  model text not null,
  place integer not null,
  -- a signed byte for each dimension; only the direction counts
  vector blob not null,
  primary key (workspace_id, model, place),
  foreign key (workspace_id, place) references search_entry (workspace_id, place) on delete cascade
) without rowid;
create index search_vector_by_place on search_vector (workspace_id, place);
`
