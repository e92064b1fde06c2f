import type { Report } from './table/rule.js'
import { quote } from './table/rule.js'

export interface Pairing {
  call(id: string, path: string): void
  result(id: string, path: string): void
  /** The call may stay without a result. */
  excuse(id: string): void
  /** No result can follow for the calls made so far. */
  close(): void
}

/** Every call gets exactly one result before its group closes, and every result has its call; `known`: or one elsewhere. */
export function pairing(
  report: Report<'tool.id.repeated' | 'tool.result.missing' | 'tool.result.orphan' | 'tool.result.repeated'>,
  known = false,
): Pairing {
  const calls = new Set<string>()
  const open = new Map<string, string>()
  const answered = new Set<string>()
  const excused = new Set<string>()
  return {
    call(id, path) {
      if (calls.has(id)) report('tool.id.repeated', path, `the call id ${quote(id)} is used twice`)
      calls.add(id)
      open.set(id, path)
    },
    result(id, path) {
      if (open.delete(id)) answered.add(id)
      else if (answered.has(id)) report('tool.result.repeated', path, `the call ${quote(id)} has a result already`)
      else if (!known) report('tool.result.orphan', path, `no call ${quote(id)} stands where this result may answer it`)
    },
    excuse(id) {
      excused.add(id)
    },
    close() {
      for (const [id, path] of open) {
        if (!excused.has(id)) report('tool.result.missing', path, `the call ${quote(id)} has no result in its place`)
      }
      open.clear()
      answered.clear()
    },
  }
}
