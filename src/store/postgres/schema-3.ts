/** What format 3 adds: what entries mean, as vectors beside what they are found by. */
export const meaning = `
  create index search_entry_by_place on search_entry (workspace_id, place);

  create table search_vector (
    workspace_id    text collate "C" not null,
    model           text collate "C" not null,
    place           bigint not null,
    conversation_id text collate "C" not null,
    seq             bigint not null,
    role            text not null,
    instant         bigint,
    vector          bytea not null,
    primary key (workspace_id, model, place),
    foreign key (workspace_id, conversation_id, seq)
      references search_entry (workspace_id, conversation_id, seq) on delete cascade
  );
  create index search_vector_by_entry on search_vector (workspace_id, conversation_id, seq);
  comment on column search_vector.model is 'whose vector it is, and of how many dimensions';
  comment on column search_vector.vector is 'a signed byte for each dimension; only the direction counts';
`
