/** Entries as a summariser reads them: what tools printed is shortened first. */
import type { Entry } from '../../store/contract/entry.js'
import type { Said, Statement } from './contract.js'
import { statementsIn } from './write.js'

const resultChars = 400

/** The same each time. */
const known = new WeakMap<Entry, readonly Said[]>()

export function saidIn(entries: readonly Entry[]): readonly Said[] {
  return entries.flatMap((entry) => {
    const said = known.get(entry) ?? saidOf(entry)
    known.set(entry, said)
    return said
  })
}

function saidOf({ id, at, body, text, redacted }: Entry): readonly Said[] {
  if (redacted || text === '') return []
  if (body.kind === 'message' && body.role !== 'system') return [{ id, voice: body.role, text, at }]
  return body.kind === 'result' ? [{ id, voice: 'tool', text: shortened(text), at }] : []
}

function shortened(text: string): string {
  const points = [...text.slice(0, resultChars * 2)]
  return points.length <= resultChars ? text : `${points.slice(0, resultChars).join('')} […]`
}

/** What a summary said, from its entry; of one that was written by hand each line is a statement. */
export function statementsOf({ meta, text, redacted }: Entry): readonly Statement[] {
  if (redacted || text === '') return []
  const sources = Array.isArray(meta?.sources) ? (meta.sources as readonly (readonly string[])[]) : []
  const found = statementsIn(text, sources)
  if (found.length > 0) return found
  return text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [{ section: 'fact', text: line.trim(), sources: [] } as const]))
}
