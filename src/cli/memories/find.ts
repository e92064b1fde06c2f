/** Memories at the terminal: found by a whole id, a beginning that only one has, or `@last`. */
import { type Memories, type Memory, type MemoryKind, openMemories } from '../../recall/memories.js'
import { misused, notFound, notOneOf } from '../failure.js'
import type { Desk } from '../history/desk.js'
import { all, theOne } from '../history/find.js'
import { short } from '../term.js'

export const kinds: readonly MemoryKind[] = ['profile', 'semantic']

export const memoriesOf = ({ store, workspace }: Desk): Memories => openMemories({ store, workspace })

export async function findMemory(memories: Memories, name: string | undefined): Promise<Memory> {
  if (name === undefined) throw misused('an ID is needed', 'throughline memories list has them; @last is the newest')
  if (name === '@last') {
    const [last] = (await memories.list({ limit: 1 })).items
    if (!last) throw notFound('there are no memories yet', 'throughline memories add makes one')
    return last
  }
  const exact = await memories.get(name)
  if (exact) return exact
  const matches = (await all(memories.all())).filter(({ id }) => id.startsWith(name))
  return theOne(matches, `memory ${name}`, ({ id, text }) => `${id}  ${short(text, 60)}`)
}

export function kindOf(name: string | undefined): MemoryKind | undefined {
  const kind = kinds.find((one) => one === name)
  if (name !== undefined && kind === undefined) throw notOneOf('--kind', name, kinds)
  return kind
}
