/** Our own exports: a conversation (`throughline.conversation/1`), or a whole workspace (`throughline.archive/1`). */
import type { Exact, Format, Reading } from '../kit/contract.js'
import { attemptRead } from '../kit/each.js'
import { isRaw, type Raw, raw, str } from '../kit/shape.js'

const one = 'throughline.conversation/1'
const many = 'throughline.archive/1'

export const throughline: Format = {
  name: 'throughline',
  claims: (value) => isRaw(value) && (value.schema === one || value.schema === many),
  async *read(file): AsyncGenerator<Reading> {
    let open: Opened | null = null
    let isArchive = false
    let isWhole = true
    for await (const found of file.values()) {
      if (found.type !== 'json') {
        yield { type: 'skipped', reason: found.type === 'fault' ? found.reason : 'not a record', place: 'the file' }
        continue
      }
      const { value, place } = found
      if (!isRaw(value)) continue
      if (value.schema === one) yield* attemptRead(() => exact(value), place)
      else if (value.schema === many) {
        isArchive = true
        isWhole = false
      } else if (isRaw(value.conversation)) {
        if (open) yield broken(open)
        open = { head: value, entries: [], receipts: [], blobs: [] }
      } else if (open && isRaw(value.entry)) open.entries.push(value.entry)
      else if (open && isRaw(value.receipt)) open.receipts.push(value.receipt)
      else if (open && isRaw(value.blob)) open.blobs.push(value.blob)
      else if (open && isRaw(value.end)) {
        const { head, ...lists }: Opened = open
        const isAll = value.end.entries === lists.entries.length
        if (isAll) yield* attemptRead(() => exact({ ...head, ...lists }), place)
        else yield broken(open)
        open = null
      } else if (isRaw(value.archive)) isWhole = true
      else yield { type: 'skipped', reason: `a record that is not known: ${Object.keys(value)[0] ?? ''}`, place }
    }
    if (open) yield broken(open)
    if (isArchive && !isWhole)
      yield { type: 'skipped', reason: 'the archive ends before its last line', place: 'the file' }
  },
}

interface Opened {
  readonly head: Raw
  readonly entries: Raw[]
  readonly receipts: Raw[]
  readonly blobs: Raw[]
}

const broken = ({ head }: Opened): Reading => ({
  type: 'skipped',
  reason: 'a conversation that is not whole',
  place: str(raw(head.conversation).id) ?? '',
})

/** Checked as far as a reader of the log relies on it; the store checks the rest. */
function exact(value: Raw): Exact {
  const exported = { drafts: [], receipts: [], blobs: [], branches: [], ...value, schema: one }
  if (!isExported(exported)) throw new Error('its shape is not that of an export')
  return { type: 'exact', exported }
}

function isExported(value: Raw): value is Raw & Exact['exported'] {
  const { conversation, branches, entries, receipts, blobs, drafts } = value
  return (
    isRaw(conversation) &&
    ['id', 'title', 'createdAt', 'updatedAt'].every((name) => typeof conversation[name] === 'string') &&
    Array.isArray(conversation.tags) &&
    Array.isArray(drafts) &&
    areAll(branches, ({ name, updatedAt }) => typeof name === 'string' && typeof updatedAt === 'string') &&
    areAll(entries, isEntry) &&
    areAll(receipts, ({ id, at }) => typeof id === 'string' && typeof at === 'string') &&
    areAll(blobs, ({ base64, mediaType }) => typeof base64 === 'string' && typeof mediaType === 'string')
  )
}

const areAll = (values: unknown, test: (value: Raw) => boolean): boolean =>
  Array.isArray(values) && values.every((value) => isRaw(value) && test(value))

function isEntry(entry: Raw): boolean {
  if (!str(entry.id) || typeof entry.text !== 'string' || typeof entry.at !== 'string') return false
  if (!Number.isSafeInteger(entry.seq) || !Number.isSafeInteger(entry.tokens)) return false
  const body = raw(entry.body)
  if (body.kind === 'note') return typeof body.label === 'string'
  if (body.kind === 'result') return typeof body.callId === 'string' && areParts(body.output)
  if (body.kind === 'summary') return typeof body.until === 'string' && areParts(body.parts)
  return body.kind === 'message' && ['user', 'assistant', 'system'].includes(String(body.role)) && areParts(body.parts)
}

const areParts = (parts: unknown): boolean => Array.isArray(parts) && parts.every(isPart)

function isPart(part: unknown): boolean {
  const { type, text, source, id, name, outcome } = raw(part)
  if (type === 'text' || type === 'think') return typeof text === 'string'
  if (type === 'file') return isRaw(source) && typeof source.kind === 'string'
  return type === 'call' && typeof id === 'string' && typeof name === 'string' && isRaw(outcome)
}
