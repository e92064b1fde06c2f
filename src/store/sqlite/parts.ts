/** The index of words in parts: to take a word out, its list is walked, and in a part no list is long. */
import type { Database, Row } from './driver.js'
import * as side from './side.js'

/** Places of one part. */
export const partPlaces = 8_192

const tableOf = (first: number): string => (first === 0 ? 'search_term' : `search_term_${first}`)

/** The table of a place that has its words already. */
export function tableAt(db: Database, place: number): string {
  return tableOf(firstOf(db, place))
}

/** The table for the words of a new place, inside a write; it is made when the one before it is full. */
export function tableFor(db: Database, place: number): string {
  const first = firstOf(db, place)
  if (place - first < partPlaces) return tableOf(first)
  db.exec(side.makePart(tableOf(place)))
  db.run(side.addPart, { first: place })
  return tableOf(place)
}

const firstOf = (db: Database, place: number): number => Number(db.get(side.partAt, { place })?.first ?? 0)

/** Those that can hold places of a workspace below one, the newest first. */
export const tablesBelow = (db: Database, workspace: string, before: number): readonly string[] =>
  db.all(side.partsBelow, { workspace, before }).map(({ first }: Row) => tableOf(first as number))
