/** Values to conversations, one by one: whatever a reader throws ends that one conversation and no other. */
import type { Reading, SourceFile } from './contract.js'
import { isRaw, type Raw, raws } from './shape.js'

export async function* eachValue(
  file: SourceFile,
  read: (value: unknown, place: string) => Reading | readonly Reading[],
): AsyncGenerator<Reading> {
  for await (const one of file.values()) {
    if (one.type === 'fault') yield { type: 'skipped', reason: one.reason, place: one.place }
    else {
      const [value, place] = one.type === 'json' ? [one.value, one.place] : [one.text, 'the file']
      yield* attemptRead(() => read(value, place), place)
    }
  }
}

/** Items that have their messages in a list. */
export const eachTalk = (
  file: SourceFile,
  listOf: (item: Raw) => unknown,
  read: (item: Raw, messages: readonly Raw[], place: string) => Reading | readonly Reading[],
): AsyncGenerator<Reading> =>
  eachValue(file, (value, place) =>
    isRaw(value) && Array.isArray(listOf(value))
      ? read(value, raws(listOf(value)), place)
      : { type: 'skipped', reason: 'an item without messages', place },
  )

export function attemptRead(read: () => Reading | readonly Reading[], place: string): readonly Reading[] {
  try {
    const found = read()
    return 'type' in found ? [found] : found
  } catch (error) {
    return [{ type: 'skipped', reason: `cannot be read: ${errorMessage(error)}`, place }]
  }
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
