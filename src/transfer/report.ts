/** What an import did, or would do: counts, and what was left out by kind. */
import type { FormatName } from './kit/contract.js'
import type { Written } from './write/write.js'

export interface ReportKind {
  readonly reason: string
  readonly count: number
  /** The first few places. */
  readonly examples: readonly string[]
}

export type Tally = ReturnType<typeof openTally>
export type ImportReport = ReturnType<Tally['report']>

const examples = 3

export function openTally() {
  const formats: Partial<Record<FormatName, number>> = {}
  const conversations = { found: 0, added: 0, extended: 0, unchanged: 0, failed: 0 }
  const messages = { found: 0, added: 0 }
  const sources = { read: 0, other: 0 }
  const [skipped, warnings] = [new Map<string, Counted>(), new Map<string, Counted>()]
  let [branches, files] = [0, 0]
  const skip = (reason: string, place: string, count = 1): void => note(skipped, reason, place, count)
  return {
    written(format: FormatName, written: Written): void {
      const { status, messages: found, added, branches: ends, files: shown, empty, warnings: told, id } = written
      formats[format] = (formats[format] ?? 0) + 1
      conversations.found++
      conversations[status]++
      messages.found += found
      messages.added += added
      branches += ends
      files += shown
      if (empty > 0) skip('empty message', id, empty)
      for (const one of told) note(warnings, one, id, 1)
    },
    skipped: skip,
    failed(reason: string, place: string): void {
      conversations.found++
      conversations.failed++
      skip(reason, place)
    },
    source(kind: 'read' | 'other'): void {
      sources[kind]++
    },
    report: (dryRun: boolean) => ({
      type: 'report' as const,
      dry_run: dryRun,
      ...{ formats, sources, conversations, messages, branches, files },
      skipped: kinds(skipped),
      warnings: kinds(warnings),
    }),
  }
}

interface Counted {
  count: number
  readonly examples: string[]
}

function note(kinds: Map<string, Counted>, reason: string, place: string, count: number): void {
  const found = kinds.get(reason) ?? { count: 0, examples: [] }
  found.count += count
  if (found.examples.length < examples) found.examples.push(place)
  // a hostile file can name endless kinds
  if (kinds.has(reason) || kinds.size < 1_000) kinds.set(reason, found)
}

const kinds = (found: ReadonlyMap<string, Counted>): readonly ReportKind[] =>
  [...found].map(([reason, { count, examples }]) => ({ reason, count, examples }))
