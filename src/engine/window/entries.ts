/** Messages of any dialect as entries of the log: a call in its message, each result on its own. */
import { decode, type Result } from '../../core/message/dialects/decode.js'
import { HistoryError } from '../../core/message/issue.js'
import type { CallPart, Item, OutputPart, Part, Role } from '../../core/message/item.js'
import { wellFormed } from '../../core/message/text.js'
import type { Policy } from '../../core/policy/schema.js'
import { partsSize, type Scale, sizeOf } from '../../core/render/size.js'
import type { Marks } from '../../core/window/memo.js'
import { outputText, plainText } from '../../core/window/mend/plain.js'
import type { Entry, MessageStatus, NewEntry } from '../../store/contract/entry.js'
import type { StoredRecord } from '../../store/contract/record.js'
import { all, paged } from '../../store/shared/page.js'
import { refusal } from '../../store/shared/refuse.js'
import { digest } from '../../store/shared/runtime.js'
import { entryMarked } from './news.js'
import type { Source } from './window.js'

/** Ids and time come from outside. */
export interface Env {
  readonly id: () => string
  readonly now: () => string
}

export interface Writing {
  readonly env: Env
  readonly scale: Scale
}

/**
 * What can be appended: a text (said by the user), a message or item of any dialect, or something annotated. What an
 * object holds is read when it is appended, and refused with the path of the field that cannot be.
 */
export type Message = string | object

/** A message with facts of the caller's own beside it, or something that is kept and never sent. */
export type Annotated =
  | {
      readonly kind: 'said'
      readonly message: unknown
      /** The entry's; left out, the message's own or a new one. */
      readonly id?: string
      readonly meta?: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'note'; readonly label: string; readonly data: unknown; readonly id?: string }

/** One message may be several entries; they belong into one batch. */
export function entriesOf(message: unknown, writing: Writing, field = 'message'): NewEntry[] {
  if (!isAnnotated(message)) return saidEntries(message, writing, field)
  const { env } = writing
  if (message.kind === 'note') {
    const { label, data, id = env.id() } = message
    return [{ id, body: { kind: 'note', label, data }, text: '', tokens: 0, at: env.now() }]
  }
  const { id, meta } = message
  const [first, ...rest] = saidEntries(message.message, writing, field)
  const named = { ...(first as NewEntry), ...(id === undefined ? null : { id }), ...(meta && { meta }) }
  // what came inside of a message is known as that
  return [named, ...rest.map((entry) => ({ ...entry, meta: { beside: true } }))]
}

const isAnnotated = (value: unknown): value is Annotated =>
  typeof value === 'object' &&
  value !== null &&
  !('role' in value) &&
  'kind' in value &&
  ((value.kind === 'said' && 'message' in value) || (value.kind === 'note' && 'label' in value))

function saidEntries(message: unknown, writing: Writing, field: string): NewEntry[] {
  const decoded = decode(typeof message === 'string' ? { role: 'user', content: message } : message)
  if (!decoded.ok) {
    const at = decoded.field === '' ? field : `${field}.${decoded.field}`
    throw refusal('invalid', `${at}: ${decoded.reason}`, { field: at, value: decoded.value })
  }
  const { role, parts, results, author, model } = decoded
  const at = decoded.at ?? writing.env.now()
  // a message that is one result and nothing else keeps its id
  const sole = parts.length === 0 && results.length === 1 ? decoded.id : undefined
  const entries = results.map((result) => resultEntry(result, at, writing, sole))
  if (parts.length > 0) {
    const spoken = { role, parts, status: 'complete', at, author, model } as const
    const [message, ...inside] = messageEntries(decoded.id ?? writing.env.id(), spoken, writing)
    entries.push(message, ...inside.map((entry) => ({ ...entry, id: writing.env.id() })))
  }
  if (entries.length === 0) throw refusal('invalid', `${field} says nothing`, { field })
  return entries
}

interface Spoken {
  readonly role?: Role
  readonly parts: readonly Part[]
  readonly status: MessageStatus
  readonly at: string
  readonly author?: string | undefined
  readonly model?: string | undefined
}

/** What was streamed under an id: all entries have ids that follow from it, so that a second time is known as one. */
export function messageEntries(id: string, spoken: Spoken, writing: Writing): [NewEntry, ...NewEntry[]] {
  const { role = 'assistant', parts, status, at, author, model } = spoken
  const inside: Result[] = []
  const bare = parts.map((part) => apart(part, inside))
  const item: Item = { role, parts: bare }
  const message: NewEntry = {
    id,
    body: { kind: 'message', role, parts: bare, status },
    text: findable(item),
    tokens: sizeOf(item, writing.scale).tokens,
    at,
    ...(author === undefined ? null : { author }),
    ...(model === undefined ? null : { model }),
  }
  return [message, ...inside.map((result, i) => resultEntry(result, at, writing, `${id}.${i + 1}`))]
}

/** Characters of what a tool was given that a message is found by. */
const inputChars = 1_000

/** What was said, and what its tools were given: commands, paths, questions. */
function findable(item: Item): string {
  const given = item.parts.flatMap((part) => (part.type === 'call' ? [stringsIn(part.input).slice(0, inputChars)] : []))
  return [plainText(item, 'drop'), ...given].filter((one) => one !== '').join('\n')
}

function stringsIn(value: unknown): string {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value)
    .map(stringsIn)
    .filter((one) => one !== '')
    .join('\n')
}

/** A call that came with its result is taken apart: the log keeps them as two entries. */
function apart(part: Part, results: Result[]): Part {
  if (part.type !== 'call' || part.outcome.state === 'pending') return part
  results.push({ callId: part.id, state: part.outcome.state, output: part.outcome.output })
  return { ...part, outcome: { state: 'pending' } } satisfies CallPart
}

export function resultEntry(result: Result, at: string, { env, scale }: Writing, id = env.id()): NewEntry {
  if (result.callId === undefined) throw refusal('invalid', 'a result must name its call', { field: 'callId' })
  return {
    id,
    body: { kind: 'result', callId: result.callId, state: result.state, output: result.output },
    text: outputText(result.output),
    tokens: partsSize(result.output, scale).tokens,
    at,
  }
}

/** The words that stand for the path up to an entry. */
export function summaryEntry(words: string, until: string, { env, scale }: Writing): NewEntry {
  const parts = [{ type: 'text', text: words } as const]
  const { tokens } = sizeOf({ role: 'assistant', parts }, scale)
  return { id: env.id(), body: { kind: 'summary', parts, until }, text: words, tokens, at: env.now() }
}

/** The stand-in for a result that will never come. */
export const interruptedResult = (callId: string): Result => ({
  callId,
  state: 'error',
  output: [{ type: 'text', text: 'interrupted' } satisfies OutputPart],
})

/** Known by its words, so that any reader of the log can tell. */
export const isInterrupted = ({ body, text }: Pick<NewEntry, 'body' | 'text'>): boolean =>
  body.kind === 'result' && body.state === 'error' && text === 'interrupted'

// Entries as the raw messages that core takes; notes have no place in a window.

/** Where a policy takes nothing but text, the text of a message is all it gets. */
export function messageOf(entry: Entry, { intake }: Policy): object | undefined {
  const { body } = entry
  if (entry.redacted) return undefined
  const onlyText = intake.content === 'string'
  if (body.kind === 'message') {
    const said = onlyText ? contentOf(body.parts) : { parts: body.parts }
    if (said === undefined) return undefined
    // a name that a user took is no office
    const orchestrates = entry.author === 'orchestrator' && body.role === 'assistant'
    return {
      id: entry.id,
      role: orchestrates ? 'orchestrator' : body.role,
      ...said,
      timestamp: entry.at,
      ...(entry.model === undefined ? null : { model: entry.model }),
      ...(entry.author === undefined || orchestrates ? null : { name: entry.author }),
    }
  }
  if (body.kind !== 'result' || onlyText) return undefined
  return {
    id: entry.id,
    role: 'tool',
    parts: [{ type: 'result', callId: body.callId, state: body.state, output: body.output }],
    timestamp: entry.at,
  }
}

function contentOf(parts: readonly Part[]): { readonly content: string } | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === 0 ? undefined : { content: texts.join('\n') }
}

// What people decided about single entries: records beside the log, which itself never changes.

/** What a person has decided about one message: pinned, excluded or kept whole. */
export interface Mark {
  readonly entry: string
  /** It stays in every window, within the policy's share. */
  readonly pinned: boolean
  /** It is in no window. */
  readonly excluded: boolean
}

/** The id of a record about an entry. */
export const aboutEntry = (conversation: string, entry: string): string => digest(`${conversation}\n${entry}`)

export async function markEntry(
  { store, workspace, conversation }: Source,
  entry: string,
  change: { readonly pinned?: boolean | undefined; readonly excluded?: boolean | undefined },
  at: string,
): Promise<Mark> {
  const id = aboutEntry(conversation, entry)
  for (let attempt = 1; ; attempt++) {
    const found = await store.getRecord(workspace, 'mark', id)
    const before = found ? markIn(found) : unmarked(entry)
    const body: Mark = { entry, pinned: change.pinned ?? before.pinned, excluded: change.excluded ?? before.excluded }
    try {
      await store.commit(workspace, conversation, [
        { do: 'put-record', record: { kind: 'mark', id, body, at, expect: found?.revision ?? null } },
        { do: 'emit', events: [entryMarked(entry)], at },
      ])
      return body
    } catch (error) {
      // someone else has marked it meanwhile
      if (!HistoryError.is(error) || error.code !== 'record_moved' || attempt === 8) throw error
    }
  }
}

export async function markOf({ store, workspace, conversation }: Source, entry: string): Promise<Mark> {
  const found = await store.getRecord(workspace, 'mark', aboutEntry(conversation, entry))
  return found ? markIn(found) : unmarked(entry)
}

/** All of a conversation. */
export async function marksOf(source: Source): Promise<readonly Mark[]> {
  return (await markRecords(source, 'mark')).map(markIn)
}

export const markRecords = ({ store, workspace, conversation }: Source, kind: string): Promise<StoredRecord[]> =>
  all(paged((from) => store.records(workspace, { kind, conversation, limit: 100, ...from })))

/** As a window takes them. */
export const asMarks = (marks: readonly Mark[]): Marks => ({
  pinned: marks.filter(({ pinned }) => pinned).map(({ entry }) => entry),
  excluded: marks.filter(({ excluded }) => excluded).map(({ entry }) => entry),
})

const unmarked = (entry: string): Mark => ({ entry, pinned: false, excluded: false })

/** Whoever wrote the record, it is read with care. */
export function markIn({ body }: StoredRecord): Mark {
  const { entry, pinned, excluded } = (body ?? {}) as Partial<Record<keyof Mark, unknown>>
  return { entry: typeof entry === 'string' ? entry : '', pinned: pinned === true, excluded: excluded === true }
}
