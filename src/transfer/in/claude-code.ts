/** Claude Code's sessions: one JSON record a line, linked by `parentUuid`; written to while the session goes on. */
import { basename } from 'node:path'
import type { Format, Imported, ImportedNode, Reading, Says, Skipped, SourceFile } from '../kit/contract.js'
import { attemptRead } from '../kit/each.js'
import { asList, contentText, isRaw, type Raw, raw, raws, str, timeOf, treeOf, without } from '../kit/shape.js'

const spoken = new Set(['user', 'assistant', 'system'])

export const claudeCode: Format = {
  name: 'claude-code',
  claims: (value) =>
    isRaw(value) &&
    typeof value.type === 'string' &&
    ('parentUuid' in value || 'leafUuid' in value || (typeof value.sessionId === 'string' && isRaw(value.message))),
  async *read(file): AsyncGenerator<Reading> {
    const sessions = new Map<string, Session>()
    const titles: Raw[] = []
    const skipped: Skipped[] = []
    const seen = new Set<string>()
    const roots = new Map<string, string>()
    for await (const one of file.values()) {
      const place = one.type === 'text' ? 'the file' : one.place
      if (one.type !== 'json' || !isRaw(one.value)) {
        skipped.push({ type: 'skipped', reason: one.type === 'fault' ? one.reason : 'not a record', place })
        continue
      }
      const record = one.value
      const uuid = str(record.uuid)
      if (isTitle(record)) titles.push(record)
      if (uuid === undefined || seen.has(uuid) || !spoken.has(String(record.type))) {
        if (uuid) sessionOf(sessions, record, roots).parents.set(uuid, parentOf(record))
        const again = uuid !== undefined && seen.has(uuid)
        if (!isTitle(record))
          skipped.push({
            type: 'skipped',
            reason: again ? 'a record that is there twice' : `record of type ${String(record.type)}`,
            place,
          })
        continue
      }
      seen.add(uuid)
      sessionOf(sessions, record, roots).records.push({ uuid, record, place })
    }
    let rest = skipped
    for (const session of sessions.values()) {
      if (session.records.length === 0) continue
      yield* attemptRead(() => conversation(session, titles, file, rest), session.id)
      rest = []
    }
    yield* rest
  },
}

interface Session {
  readonly id: string
  /** The session that sent this agent out. */
  readonly parent: string | null
  readonly records: { readonly uuid: string; readonly record: Raw; readonly place: string }[]
  /** Of records that are no messages, so that their children find what they follow. */
  readonly parents: Map<string, string | null>
}

/** An agent that a session sent out is a conversation of its own, not a branch. */
function sessionOf(sessions: Map<string, Session>, record: Raw, roots: Map<string, string>): Session {
  const session = str(record.sessionId) ?? 'session'
  const uuid = str(record.uuid) ?? ''
  const above = parentOf(record)
  const root = (above !== null ? roots.get(above) : undefined) ?? uuid
  roots.set(uuid, root)
  const id = record.isSidechain === true ? `${session}.${str(record.agentId) ?? root}` : session
  const found = sessions.get(id) ?? { id, parent: id === session ? null : session, records: [], parents: new Map() }
  sessions.set(id, found)
  return found
}

const parentOf = (record: Raw): string | null => str(record.parentUuid) ?? str(record.logicalParentUuid) ?? null

const isTitle = ({ type }: Raw): boolean => type === 'summary' || type === 'custom-title' || type === 'ai-title'

interface Building {
  readonly nodes: ImportedNode[]
  readonly parents: Map<string, string | null>
  /** Where what follows a record goes on. */
  readonly alias: Map<string, string>
}

function conversation(
  session: Session,
  titles: readonly Raw[],
  file: SourceFile,
  skipped: readonly Skipped[],
): Imported {
  const building: Building = { nodes: [], parents: session.parents, alias: new Map() }
  const left: Skipped[] = [...skipped]
  const isLinked = session.records.some(({ record }) => 'parentUuid' in record)
  let before: string | null = null
  let group: Raw[] = []
  const groups: { readonly uuid: string; readonly records: Raw[]; readonly place: string }[] = []
  for (const { uuid, record, place } of session.records) {
    const goesOn = group.length > 0 && isSame(group[0] as Raw, record)
    if (goesOn) {
      group.push(record)
      building.alias.set(uuid, groups.at(-1)?.uuid as string)
    } else {
      group = [record]
      groups.push({ uuid, records: group, place })
    }
  }
  const last = groups.at(-1)
  if (file.live && last && isUnfinished(last.records)) {
    groups.pop()
    left.push({ type: 'skipped', reason: 'the last message is still being written', place: last.place })
  }
  for (const { uuid, records, place } of groups) {
    const record = records[0] as Raw
    const says = saysOf(records)
    const parent: string | null = isLinked ? tailOf(parentOf(record), building.alias) : before
    if (typeof says === 'string') {
      building.parents.set(uuid, parent)
      left.push({ type: 'skipped', reason: says, place })
      continue
    }
    building.nodes.push({ id: uuid, parent, says, ...factsOf(records) })
    // results of calls made at once follow one another, whichever call each of them names
    if (parent !== null && isResult(record)) building.alias.set(parent, uuid)
    before = uuid
  }
  const nodes = treeOf(building.nodes, building.parents)
  const first = session.records.find(({ record }) => str(record.cwd))?.record
  const cwd = str(first?.cwd)
  return {
    type: 'tree',
    format: 'claude-code',
    id: session.id,
    title: titleOf(session, titles),
    createdAt: timeOf(session.records[0]?.record.timestamp),
    updatedAt: timeOf(session.records.at(-1)?.record.timestamp),
    folder: cwd && basename(cwd),
    tags: session.parent === null ? [] : ['subagent'],
    head: nodes.at(-1)?.id ?? null,
    nodes,
    rest: {
      ...(cwd && { cwd }),
      ...(first && { gitBranch: first.gitBranch, version: first.version }),
      ...(session.parent !== null && { parent: `claude-code-${session.parent}` }),
    },
    warnings: [],
    skipped: left,
  }
}

function tailOf(id: string | null, alias: ReadonlyMap<string, string>): string | null {
  const seen = new Set<string>()
  let at = id
  while (at !== null && alias.has(at) && !seen.has(at)) {
    seen.add(at)
    at = alias.get(at) ?? null
  }
  return at
}

/** Lines of one message: the API's message is written block by block. */
function isSame(one: Raw, other: Raw): boolean {
  if (one.type !== 'assistant' || other.type !== 'assistant') return false
  const id = str(raw(one.message).id) ?? str(one.requestId)
  return id !== undefined && id === (str(raw(other.message).id) ?? str(other.requestId))
}

function isUnfinished(records: readonly Raw[]): boolean {
  const { type, message } = records.at(-1) as Raw
  return type === 'assistant' && !str(raw(message).stop_reason)
}

const isResult = ({ type, message }: Raw): boolean => {
  const blocks = asList(raw(message).content)
  return type === 'user' && blocks.length > 0 && blocks.every((block) => raw(block).type === 'tool_result')
}

function saysOf(records: readonly Raw[]): Says | string {
  const record = records[0] as Raw
  const message = raw(record.message)
  if (record.type === 'system') {
    const subtype = str(record.subtype) ?? 'system'
    if (!/compact|error/.test(subtype)) return `system record of type ${subtype}`
    const label = subtype === 'compact_boundary' ? 'compaction' : subtype
    const about = without(record, ...envelope, 'type', 'subtype', 'isMeta', 'level')
    return { kind: 'note', label, data: about }
  }
  if (record.isCompactSummary === true) return { kind: 'summary', text: contentText(message.content) }
  const content =
    record.type === 'assistant' ? union(records.map((one) => asList(raw(one.message).content))) : message.content
  const isEmpty = typeof content === 'string' ? content === '' : asList(content).length === 0
  if (isEmpty) return 'empty message'
  return { kind: 'message', message: { role: record.type, content } }
}

/** Blocks of all lines, each once; an early snapshot gives way to what it became. */
function union(lines: readonly (readonly unknown[])[]): unknown[] {
  const out: unknown[] = []
  for (const block of lines.flat()) {
    const text = JSON.stringify(block)
    const at = out.findIndex((one) => JSON.stringify(one) === text || isBeginning(one, block))
    if (at === -1) out.push(block)
    else out[at] = block
  }
  return out
}

const isBeginning = (one: unknown, other: unknown): boolean => {
  const [early, late] = [raw(one), raw(other)]
  if (early.type !== late.type) return false
  const field = early.type === 'text' ? 'text' : early.type === 'thinking' ? 'thinking' : undefined
  if (field === undefined) return false
  const [short, long] = [str(early[field]) ?? '', str(late[field]) ?? '']
  return long.length > short.length && long.startsWith(short)
}

const envelope = [
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'sessionId',
  'timestamp',
  'isSidechain',
  'userType',
  'cwd',
  'version',
  'gitBranch',
]

/** Words that a client puts into a person's mouth. */
const wrapper =
  /^\s*(<(system-reminder|command-name|command-message|local-command-stdout|local-command-caveat|task-notification)>|\[Request interrupted by user|Caveat: )/

function factsOf(records: readonly Raw[]) {
  const [record, last] = [records[0] as Raw, records.at(-1) as Raw]
  const message = raw(last.message)
  const { content: _, role: __, type: ___, ...about } = message
  const model = str(message.model)
  const human = record.type === 'user' && typeof raw(record.message).content === 'string'
  const injected = record.isMeta === true || (human && wrapper.test(String(raw(record.message).content)))
  return {
    at: timeOf(record.timestamp),
    model: model === '<synthetic>' ? undefined : model,
    injected: injected || undefined,
    rest: {
      ...without(record, 'uuid', 'parentUuid', 'type', 'message', 'timestamp', 'sessionId'),
      ...(Object.keys(about).length > 0 && { message: { ...about, ...usageOf(records) } }),
    },
  }
}

/** The same usage stands on every line, and a smaller one on early snapshots: the largest counts, once. */
function usageOf(records: readonly Raw[]): { usage?: unknown } {
  const all = raws(records.map((one) => raw(one.message).usage))
  const most = all.reduce<Raw | undefined>(
    (best, one) => (Number(one.output_tokens ?? 0) >= Number(best?.output_tokens ?? -1) ? one : best),
    undefined,
  )
  return most ? { usage: most } : {}
}

function titleOf({ id, records }: Session, titles: readonly Raw[]): string | undefined {
  const last = (type: string, field: string, test: (one: Raw) => boolean): string | undefined =>
    str(titles.findLast((one) => one.type === type && test(one) && str(one[field]))?.[field])
  const ids = new Set(records.map(({ uuid }) => uuid))
  const mine = (one: Raw): boolean => one.sessionId === undefined || one.sessionId === id
  return (
    last('custom-title', 'customTitle', mine) ??
    last('ai-title', 'aiTitle', mine) ??
    last('ai-title', 'title', mine) ??
    last('summary', 'summary', (one) => ids.has(String(one.leafUuid)))
  )
}
