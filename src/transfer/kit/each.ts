/** Values to conversations, one by one: whatever a reader throws ends that one conversation and no other. */
import type { Found, SourceFile } from './contract.js'
import { isRaw, type Raw, raws } from './shape.js'

export async function* eachValue(
  file: SourceFile,
  read: (value: unknown, place: string) => Found | readonly Found[],
): AsyncGenerator<Found> {
  for await (const one of file.values()) {
    if (one.type === 'fault') yield { type: 'skipped', reason: one.reason, place: one.place }
    else {
      const [value, place] = one.type === 'json' ? [one.value, one.place] : [one.text, 'the file']
      yield* attempt(() => read(value, place), place)
    }
  }
}

/** Items that have their messages in a list. */
export const eachTalk = (
  file: SourceFile,
  listOf: (item: Raw) => unknown,
  read: (item: Raw, messages: readonly Raw[], place: string) => Found | readonly Found[],
): AsyncGenerator<Found> =>
  eachValue(file, (value, place) =>
    isRaw(value) && Array.isArray(listOf(value))
      ? read(value, raws(listOf(value)), place)
      : { type: 'skipped', reason: 'an item without messages', place },
  )

export function attempt(read: () => Found | readonly Found[], place: string): readonly Found[] {
  try {
    const found = read()
    return 'type' in found ? [found] : found
  } catch (error) {
    return [{ type: 'skipped', reason: `cannot be read: ${messageOf(error)}`, place }]
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
