/** Values to conversations, one by one: whatever a reader throws ends that one conversation and no other. */
import type { Found, SourceFile } from './contract.js'

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

export function attempt(read: () => Found | readonly Found[], place: string): readonly Found[] {
  try {
    const found = read()
    return 'type' in found ? [found] : found
  } catch (error) {
    return [{ type: 'skipped', reason: `cannot be read: ${messageOf(error)}`, place }]
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
