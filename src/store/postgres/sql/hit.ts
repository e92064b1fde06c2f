/** A row `s` of what can be found, as it is shown. */
export const hit = {
  columns: 's.place, s.conversation_id, s.role, c.title, e.seq, e.id, e.at, e.text',
  joins: `cross join lateral (
      select c.title from conversation c
        where c.workspace_id = $1 and c.id >= s.conversation_id order by c.id limit 1
    ) c
    cross join lateral (
      select e.seq, e.id, e.at, e.text from entry e
        where e.workspace_id = $1 and e.conversation_id = s.conversation_id and e.seq >= s.seq order by e.seq limit 1
    ) e`,
}
