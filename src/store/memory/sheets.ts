/** Sheets in memory. */
import type { NewSheet, Sheet } from '../contract/sheet.js'
import type { Room } from './room.js'

export function putSheet({ entries, sheets }: Room, kind: string, { first, last, bare, bytes }: NewSheet): boolean {
  const own = sheets.get(kind) ?? new Map<number, Sheet>()
  const gone = entries.slice(first - 1, last).filter(({ redacted }) => redacted).length
  if (gone !== bare || last <= (own.get(first)?.last ?? 0)) return false
  own.set(first, { first, last, bytes: new Uint8Array(bytes) })
  sheets.set(kind, own)
  return true
}

export function listSheets(room: Room | undefined, kind: string, firsts?: readonly number[]): readonly Sheet[] {
  return [...(room?.sheets.get(kind)?.values() ?? [])]
    .filter(({ first }) => firsts === undefined || firsts.includes(first))
    .sort((one, other) => one.first - other.first)
    .map((sheet) => ({ ...sheet, bytes: new Uint8Array(sheet.bytes) }))
}

/** Those that an entry is in. */
export function dropSheets({ sheets }: Room, seq: number): void {
  for (const own of sheets.values())
    for (const { first, last } of own.values()) if (first <= seq && seq <= last) own.delete(first)
}
