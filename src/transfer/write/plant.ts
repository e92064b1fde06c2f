/**
 * A tree of someone else's as entries of the log. The id of an entry follows from its parent, the source's id and what it
 * says: the same again is known, what has grown adds its tail, and what was edited becomes a branch.
 */
import { type Decoded, decode, type Result } from '../../core/message/dialects/decode.js'
import type { CallPart, OutputPart, Part } from '../../core/message/item.js'
import { wellFormed } from '../../core/message/text.js'
import { cutOf } from '../../engine/limits.js'
import { messageEntries, resultEntry, summaryEntry, type Writing } from '../../engine/window/entries.js'
import type { NewEntry } from '../../store/contract/entry.js'
import { bounds, canonical } from '../../store/shared/gate.js'
import { callsOf } from '../../store/shared/link.js'
import { digest } from '../../store/shared/runtime.js'
import type { Imported, ImportedNode } from '../kit/contract.js'
import { type Bytes, type Files, shelved } from './files.js'

export interface Planted {
  readonly entry: NewEntry
  readonly parent: string | null
}

export interface Planting {
  /** Parents before children. */
  readonly entries: readonly Planted[]
  /** The entry that the source showed last. */
  readonly head: string | null
  readonly blobs: ReadonlyMap<string, Bytes>
  /** Sentences about what could not be kept as it was. */
  readonly warnings: readonly string[]
  /** Nodes that say nothing. */
  readonly empty: number
  /** Files that messages show, whether their bytes came along or not. */
  readonly files: number
}

/** Characters of a tool result that stand in the log; the rest is kept as a blob. */
const resultChars = 50_000

export async function plant(tree: Imported, writing: Writing): Promise<Planting> {
  const entries: Planted[] = []
  const at = new Map<string, Planted>()
  const ends = new Map<string, string | null>()
  const calls = new Set<string>()
  const warnings: string[] = [...tree.warnings]
  const files: Files = { blobs: new Map(), assets: tree.assets ?? new Map(), warnings, count: 0 }
  let empty = 0
  let last = tree.createdAt ?? writing.env.now()
  for (const node of tree.nodes) {
    const before = node.parent === null ? null : (ends.get(node.parent) ?? null)
    const when = node.at ?? last
    last = when
    const open = (callId: string): boolean => calls.has(callId) && isOpen(callId, before, at)
    const made = await entriesIn(tree, node, when, { writing, files, open, before, warnings })
    if (made.length === 0) empty++
    let parent = before
    for (const [i, entry] of made.entries()) {
      const said = canonical([parent, tree.format, tree.id, node.id, i, entry.body])
      const named = { ...entry, id: digest(said).slice(0, 32) }
      const planted = { entry: named, parent }
      for (const call of callsOf(named.body)) calls.add(call)
      at.set(named.id, planted)
      entries.push(planted)
      parent = named.id
    }
    ends.set(node.id, parent)
  }
  const head = tree.head === null ? undefined : ends.get(tree.head)
  const lastNode = tree.nodes.at(-1)
  return {
    entries,
    head: head ?? (lastNode ? (ends.get(lastNode.id) ?? null) : null),
    blobs: files.blobs,
    warnings,
    empty,
    files: files.count,
  }
}

/** Whether a call on the path up to an entry waits for its result. */
function isOpen(callId: string, head: string | null, at: ReadonlyMap<string, Planted>): boolean {
  for (let id = head; id !== null; ) {
    const found = at.get(id)
    if (!found) return false
    const { body } = found.entry
    if (body.kind === 'result' && body.callId === callId) return false
    if (callsOf(body).includes(callId)) return true
    id = found.parent
  }
  return false
}

interface Making {
  readonly writing: Writing
  readonly files: Files
  readonly open: (callId: string) => boolean
  readonly before: string | null
  readonly warnings: string[]
}

async function entriesIn(tree: Imported, node: ImportedNode, at: string, making: Making): Promise<NewEntry[]> {
  const { writing, before } = making
  const { says } = node
  const meta = metaOf(tree, node)
  if (says.kind === 'note') {
    const body = { kind: 'note', label: says.label, data: says.data } as const
    return [{ id: '', body, text: '', tokens: 0, at, meta }]
  }
  if (says.kind === 'summary' && before !== null)
    return [{ ...summaryEntry(says.text, before, writing), at, meta, ...(node.model && { model: node.model }) }]
  const message = says.kind === 'message' ? says.message : { role: 'user', content: says.text }
  const decoded = decodeAll(message)
  if (!decoded.ok) {
    making.warnings.push(`a message could not be read: ${decoded.reason}`)
    return [{ id: '', body: { kind: 'note', label: 'unreadable', data: message }, text: '', tokens: 0, at, meta }]
  }
  making.warnings.push(...decoded.lost.map((one) => one.replace(/^[^:]{0,80}: /, '')))
  const made = await saidEntries(decoded, node, at, making)
  return made.map((entry, i) => ({
    ...entry,
    meta: i === 0 ? { ...entry.meta, ...meta } : { ...entry.meta, source: { format: tree.format, id: node.id } },
  }))
}

/** One message, or the items that one is made of. */
function decodeAll(message: unknown): ReturnType<typeof decode> {
  if (!Array.isArray(message)) return decode(message)
  const all = message.map(decode)
  const refused = all.find((one) => !one.ok)
  const read = all.flatMap((one) => (one.ok ? [one] : []))
  const last = read.at(-1)
  if (refused || !last) return refused ?? decode({})
  return {
    ...last,
    parts: read.flatMap(({ parts }) => parts),
    results: read.flatMap(({ results }) => results),
    lost: read.flatMap(({ lost }) => lost),
  }
}

const metaOf = ({ format }: Imported, { id, injected, rest }: ImportedNode): Readonly<Record<string, unknown>> => ({
  source: {
    format,
    id,
    ...(injected && { injected: true }),
    ...(rest && Object.keys(rest).length > 0 && { rest }),
  },
})

async function saidEntries(decoded: Decoded, node: ImportedNode, at: string, making: Making): Promise<NewEntry[]> {
  const { writing, open } = making
  const { parts, left } = joined(decoded, node.id)
  const out: NewEntry[] = []
  const answered = new Set<string>()
  for (const [i, result] of left.entries()) {
    const output = (await shelved(result.output, making.files)) as readonly OutputPart[]
    const { callId } = result
    if (callId !== undefined && open(callId) && !answered.has(callId)) {
      answered.add(callId)
      out.push(cut(resultEntry({ ...result, output }, at, writing, ''), making))
    } else {
      // a result whose call is not here, or has its result: shown with a call of its own
      const call = orphan(`${node.id}.${i}`, { ...result, output })
      out.push(...spokenEntries({ ...decoded, role: 'assistant', parts: [call] }, node, at, making))
    }
  }
  if (parts.length === 0) return out
  const kept = (await shelved(parts, making.files)) as readonly Part[]
  return [...out, ...spokenEntries({ ...decoded, parts: kept }, node, at, making)]
}

function spokenEntries({ role, parts, ...facts }: Decoded, node: ImportedNode, at: string, making: Making): NewEntry[] {
  const author = node.author ?? facts.author
  const model = node.model ?? facts.model
  const spoken = { role, parts, status: node.aborted ? 'aborted' : 'complete', at, author, model } as const
  const [said, ...rest] = messageEntries('', spoken, making.writing)
  return [said, ...rest.map((entry) => cut({ ...entry, meta: { beside: true } }, making))]
}

/** Very long results stand in the log in short, and whole beside it. */
function cut(entry: NewEntry, { writing, files }: Making): NewEntry {
  const short = cutOf(entry, writing, resultChars)
  if (short === entry) return entry
  const bytes = new TextEncoder().encode(entry.text)
  const blob = digest(bytes)
  files.blobs.set(blob, { mediaType: 'text/plain; charset=utf-8', bytes: async () => bytes })
  return { ...short, meta: { ...entry.meta, blob, originalChars: [...entry.text].length } }
}

/** Calls without an id get one, and results that came with their calls go to them. */
function joined({ parts, results }: Decoded, node: string): { parts: Part[]; left: Result[] } {
  const left = [...results]
  const seen = new Set<string>()
  const named = parts.map((part, i): Part => {
    if (part.type !== 'call') return part
    const call = part.id === '' || seen.has(part.id) ? { ...part, id: nameOf(`${node}.${i}`) } : part
    seen.add(call.id)
    if (call.outcome.state !== 'pending') return call
    const at = left.findIndex(({ callId, name }) =>
      part.id === '' ? !callId && (!name || name === part.name) : callId === part.id,
    )
    const found = at === -1 ? undefined : left.splice(at, 1)[0]
    return found ? { ...call, outcome: { state: found.state, output: found.output } } : call
  })
  return { parts: named, left }
}

/** No longer than a name can be, and with no half of a character at its end. */
const nameOf = (id: string): string => wellFormed(id.slice(0, bounds.id))

const orphan = (id: string, { name, state, output, callId }: Result): CallPart => ({
  type: 'call',
  id: nameOf(callId ?? id),
  name: name ?? 'tool',
  input: {},
  outcome: { state, output },
})
