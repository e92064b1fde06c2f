/** Several conversations of the list at once: chosen with a click, or carried with the pointer. */
import type { DragEvent } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(id: string): void
  clear(): void
}

export interface Bulk {
  /** Into a folder; null for none. */
  move(ids: readonly string[], folder: string | null): void
  archive(ids: readonly string[]): void
  remove(ids: readonly string[]): void
}

const type = 'application/x-throughline-chats'

/** One that is chosen takes the others along. */
export function carry({ dataTransfer }: DragEvent, id: string, { ids }: Selection): void {
  dataTransfer.setData(type, JSON.stringify(ids.has(id) ? [...ids] : [id]))
  dataTransfer.effectAllowed = 'move'
}

export const isCarried = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(type)

/** Another page may carry anything. */
export function carried({ dataTransfer }: DragEvent): readonly string[] {
  try {
    const ids: unknown = JSON.parse(dataTransfer.getData(type))
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
