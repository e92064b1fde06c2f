/** What a message says about itself: id, author, time, model, pin. */

import { clean, firstOf, idOf, isRaw, note, own, type Raw, type Sink, str } from './read.js'

export interface Meta {
  id?: string
  author?: string
  at?: string
  model?: string
  pinned?: boolean
}

const times = ['at', 'timestamp', 'created_at', 'createdAt'] as const

/**
 * Adds what is told to `target`. `author` is who the role already names; `named` says that `name` names a speaker.
 * The plain reads come first because most fields are absent; `own` then decides.
 */
export function readMeta(message: Raw, target: Meta, author: string | undefined, named: boolean, sink: Sink): void {
  const told = message.metadata === undefined ? undefined : own(message, 'metadata')
  const metadata = isRaw(told) ? told : empty
  if (message.id !== undefined) {
    const id = idOf(message, '', sink, 'id')
    if (id !== undefined) target.id = id
  }
  const who =
    author ?? (authorOf(message, sink) || (named && message.name !== undefined && str(message, '', sink, 'name')))
  if (who) target.author = who
  const at = timeOf(instant(message) ?? instant(metadata), sink)
  if (at !== undefined) target.at = at
  const model = modelOf(message, sink) || modelOf(metadata, sink)
  if (model) target.model = model
  if (message.pinned === true && own(message, 'pinned') === true) target.pinned = true
  else if (metadata.pinned === true && own(metadata, 'pinned') === true) target.pinned = true
}

const empty: Raw = Object.freeze({})

const authorOf = (message: Raw, sink: Sink): string | undefined =>
  message.author === undefined ? undefined : str(message, '', sink, 'author')

const modelOf = (raw: Raw, sink: Sink): string | undefined =>
  raw.model === undefined && raw.modelId === undefined && raw.modelVersion === undefined
    ? undefined
    : str(raw, '', sink, 'model', 'modelId', 'modelVersion')

const instant = (raw: Raw): unknown =>
  raw.at === undefined && raw.timestamp === undefined && raw.created_at === undefined && raw.createdAt === undefined
    ? undefined
    : firstOf(raw, ...times)

/** Years 1 to 9999. */
const earliest = -62_135_596_800_000
const latest = 253_402_300_799_999
/** Below this a number is in seconds: as milliseconds it would lie before 1973, as seconds it reaches to the year 5138. */
const seconds = 100_000_000_000

function timeOf(value: unknown, sink: Sink): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return clean(value, 'timestamp', sink)
  const ms = typeof value === 'number' ? (Math.abs(value) < seconds ? value * 1000 : value) : value
  const date = value instanceof Date ? value.getTime() : ms
  if (typeof date === 'number' && date >= earliest && date <= latest) return new Date(date).toISOString()
  note(sink, 'timestamp', 'not a time')
  return undefined
}
