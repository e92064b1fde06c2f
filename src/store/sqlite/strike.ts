/**
 * Takes the words of many entries out of the index at once. One by one, each word's list is walked from its beginning to the
 * entry; together they are only struck out, and all lists are written anew without them.
 */
import type { Database } from './driver.js'

// commands to the index itself: they name nobody's rows

/** Whether a word that goes is looked for and overwritten at once, or struck out. */
const secureDelete = "insert into search_term (search_term, rank) values ('secure-delete', :on)"
/** All lists anew, without what was struck out. */
const rewrite = "insert into search_term (search_term) values ('optimize')"

/** Of fewer entries it is cheaper one by one. */
const many = 16

/** To be called inside a write, with the number of entries that lose words in it. */
export function striking(db: Database, count: number, work: () => unknown): void {
  const isMany = count >= many
  if (isMany) db.run(secureDelete, { on: 0 })
  try {
    work()
    // an older list must not bring a word back that is removed from a newer one later
    if (isMany) db.run(rewrite)
  } finally {
    if (isMany) db.run(secureDelete, { on: 1 })
  }
}
