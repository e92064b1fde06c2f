/** Reads what an agent printed, from this process or from the store. */

import type { Agent, AgentOutput, OutputQuery } from '../record/agent.js'
import { type Board, kinds, read } from '../record/desk.js'
import { invalid } from '../record/refuse.js'
import type { Printed } from './ring.js'

/** Both streams of an agent. */
export interface Prints {
  readonly out: Printed
  readonly err: Printed
}

interface Stored {
  readonly out: StoredPrint
  readonly err: StoredPrint
}

interface StoredPrint {
  readonly head: string
  readonly tail: string
  readonly total: number
}

export async function savePrints({ store, workspace, env }: Board, { id, task }: Agent, prints: Prints): Promise<void> {
  const body: Stored = { out: encoded(prints.out), err: encoded(prints.err) }
  await store.putRecord(workspace, { kind: kinds.output(task), id, body, at: env.now() })
}

export async function readPrints(desk: Board, { id, task }: Agent): Promise<Prints> {
  const stored = await read<Stored>(desk, kinds.output(task), id)
  return stored ? { out: decoded(stored.out), err: decoded(stored.err) } : silent
}

const silence: Printed = { head: Buffer.alloc(0), tail: Buffer.alloc(0), total: 0 }
export const silent: Prints = { out: silence, err: silence }

const encoded = ({ head, tail, total }: Printed): StoredPrint => ({
  head: head.toString('base64'),
  tail: tail.toString('base64'),
  total,
})

const decoded = ({ head, tail, total }: StoredPrint): Printed => ({
  head: Buffer.from(head, 'base64'),
  tail: Buffer.from(tail, 'base64'),
  total,
})

export function agentOutput({ id, state }: Agent, prints: Prints, query: OutputQuery): AgentOutput {
  const { stream = 'out', format = 'text' } = query
  for (const field of ['head', 'tail', 'from'] as const) checkCount(query[field], field)
  const printed = prints[stream]
  const all = textFrom(printed, query.from ?? 0)
  const text = query.head === undefined && query.tail === undefined ? all : some(linesOf(all), query).join('\n')
  return {
    agent: id,
    state,
    text,
    ...(format === 'lines' && { lines: linesOf(text) }),
    ...(format === 'jsonl' && { values: linesOf(text).flatMap(parsed) }),
    total: printed.total,
    missing: holeOf(printed),
    next: printed.total,
  }
}

function checkCount(value: number | undefined, field: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return
  throw invalid([{ code: 'task.output', field, message: `${field} must be a whole number, zero or more` }])
}

const holeOf = ({ head, tail, total }: Printed): number => total - head.length - tail.length

/** From a byte on; a hole is told, and a character that was cut in two is a question mark. */
function textFrom(printed: Printed, from: number): string {
  const { head, tail, total } = printed
  const hole = holeOf(printed)
  const end = tail.subarray(Math.max(0, from - head.length - hole)).toString()
  if (from >= total - tail.length) return end
  const lost = Math.min(hole, total - tail.length - from)
  return `${head.subarray(from).toString()}${lost > 0 ? `\n[… ${lost} bytes are not kept …]\n` : ''}${end}`
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function some(lines: readonly string[], { head, tail }: OutputQuery): readonly string[] {
  if (head !== undefined) return lines.slice(0, head)
  return tail === undefined || tail === 0 ? [] : lines.slice(-tail)
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
