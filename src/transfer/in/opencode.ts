/** opencode's export of a session: `{ info, messages: [{ info, parts }] }`. */
import { basename } from 'node:path'
import type { Format, Imported, ImportedNode, Reading, Says, Skipped } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { isRaw, type Raw, raw, raws, str, timeOf, without } from '../kit/shape.js'

export const opencode: Format = {
  name: 'opencode',
  claims: (value) =>
    isRaw(value) &&
    isRaw(value.info) &&
    raws(value.messages).some((one) => isRaw(one.info) && Array.isArray(one.parts)),
  read: (file): AsyncGenerator<Reading> =>
    eachValue(file, (value, place) =>
      isRaw(value) && isRaw(value.info)
        ? session(value.info, raws(value.messages), without(value, 'info', 'messages'), place)
        : { type: 'skipped', reason: 'an item without a session', place },
    ),
}

function session(info: Raw, messages: readonly Raw[], more: Raw, place: string): Imported {
  const nodes: ImportedNode[] = []
  const skipped: Skipped[] = []
  let parent: string | null = null
  let head: string | null = null
  const reverted = str(raw(info.revert).messageID)
  let isHidden = false
  for (const [i, one] of messages.entries()) {
    const about = raw(one.info)
    const id = str(about.id) ?? `message ${i + 1}`
    if (id === reverted) isHidden = true
    const parts = raws(one.parts)
    const says = saysOf(about, parts)
    if (says === null) {
      skipped.push({ type: 'skipped', reason: 'a message that shows nothing', place: `${place}, ${id}` })
      continue
    }
    const texts = parts.filter(({ type }) => type === 'text')
    nodes.push({
      ...{ id, parent, says },
      at: timeOf(raw(about.time).created),
      model: about.role === 'assistant' ? str(about.modelID) : undefined,
      aborted: isRaw(about.error) || undefined,
      injected:
        (about.role === 'user' && texts.length > 0 && texts.every(({ synthetic }) => synthetic === true)) || undefined,
      rest: { ...without(about, 'id', 'role', 'modelID'), parts: restOf(parts) },
    })
    parent = id
    if (!isHidden) head = id
  }
  const time = raw(info.time)
  const directory = str(info.directory)
  return {
    type: 'tree',
    format: 'opencode',
    id: str(info.id) ?? place,
    title: str(info.title),
    createdAt: timeOf(time.created),
    updatedAt: timeOf(time.updated),
    folder: directory && basename(directory),
    tags: str(info.parentID) ? ['subagent'] : [],
    archived: time.archived !== undefined && time.archived !== null,
    head,
    nodes,
    rest: { ...without(info, 'id', 'title'), ...more },
    warnings: [],
    skipped,
  }
}

function saysOf(about: Raw, parts: readonly Raw[]): Says | null {
  const text = parts.flatMap((part) => (part.type === 'text' ? (str(part.text) ?? []) : [])).join('\n')
  if (about.role === 'assistant' && about.summary === true && text !== '') return { kind: 'summary', text }
  const compaction = parts.find(({ type }) => type === 'compaction')
  if (compaction && text === '') return { kind: 'note', label: 'compaction', data: without(compaction, 'type') }
  const said = parts.flatMap(partOf)
  if (said.length === 0) return null
  return { kind: 'message', message: { role: about.role === 'user' ? 'user' : 'assistant', parts: said } }
}

function partOf(part: Raw): object[] {
  switch (part.type) {
    case 'text':
      return str(part.text) ? [{ type: 'text', text: part.text }] : []
    case 'reasoning':
      return str(part.text) ? [{ type: 'think', text: part.text }] : []
    case 'subtask':
      return str(part.prompt) ? [{ type: 'text', text: part.prompt }] : []
    case 'file':
      return [fileOf(part)]
    case 'tool':
      return [callOf(part)]
    default:
      return []
  }
}

function fileOf({ mime, filename, url }: Raw): object {
  const data = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(str(url) ?? '')
  return {
    type: 'file',
    mediaType: str(mime) ?? data?.[1] ?? 'application/octet-stream',
    ...(str(filename) && { name: filename }),
    source: data ? { kind: 'data', base64: data[2] } : { kind: 'url', url: str(url) ?? '' },
  }
}

function callOf({ callID, tool, state: given }: Raw): object {
  const state = raw(given)
  const call = { type: 'call', id: str(callID) ?? '', name: str(tool) ?? 'tool', input: state.input ?? {} }
  const text = (value: unknown) => (str(value) ? [{ type: 'text', text: value }] : [])
  const files = raws(state.attachments).map(fileOf)
  if (state.status === 'completed')
    return { ...call, outcome: { state: 'ok', output: [...text(state.output), ...files] } }
  if (state.status === 'error') return { ...call, outcome: { state: 'error', output: text(state.error) } }
  return call
}

/** Steps, snapshots and times: what no message shows. */
const restOf = (parts: readonly Raw[]): Raw[] =>
  parts.map((part) => {
    const about = without(part, 'text', 'url', 'sessionID', 'messageID')
    return isRaw(about.state)
      ? { ...about, state: without(about.state, 'input', 'output', 'error', 'attachments') }
      : about
  })
