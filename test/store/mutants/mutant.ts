/** A store that is wrong in one way. */
import type { Store } from '../../../src/store/contract/store.js'
import type { Room } from '../../../src/store/memory/room.js'
import type { openMemory } from '../memory.js'

type Sound = ReturnType<typeof openMemory>

export interface Mutant {
  /** As in "a store that ...". */
  readonly name: string
  /** The case of the suite that must find it. */
  readonly by: string
  /** What it does otherwise than the sound store. */
  readonly wrong: (sound: Sound) => Partial<Store>
}

export const byTime = <T extends { readonly at: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((one, other) => (one.at < other.at ? -1 : 1))
export const byId = <T extends { readonly id: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))

/** The stored objects themselves, as the sound store never gives them. */
export const stored = ({ workspaces }: Sound, workspace: string, conversation: string): Room | undefined =>
  workspaces.get(workspace)?.rooms.get(conversation)

export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]))
}

/** A copy key by key, as careless code makes it. */
export function assigned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) out[key] = assigned(inner)
  return out
}
