/** Codex's rollouts: one record a line. What was said is in `response_item`; events only repeat it. */
import { basename } from 'node:path'
import type { Format, Imported, ImportedNode, Reading, Skipped, SourceFile } from '../kit/contract.js'
import { attemptRead } from '../kit/each.js'
import { asList, isRaw, type Raw, raw, raws, str, timeOf, without } from '../kit/shape.js'

const kinds = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

/** Items as the first versions wrote them, one a line and without an envelope. */
const isBareItem = (value: Raw): boolean =>
  ((value.type === 'message' &&
    raws(value.content).some(({ type }) => type === 'input_text' || type === 'output_text')) ||
    value.type === 'function_call' ||
    value.type === 'function_call_output') &&
  !('parentUuid' in value)

export const codex: Format = {
  name: 'codex',
  claims: (value) =>
    isRaw(value) &&
    ((kinds.has(String(value.type)) && isRaw(value.payload)) || value.record_type === 'state' || isBareItem(value)),
  async *read(file): AsyncGenerator<Reading> {
    const lines: Line[] = []
    const skipped: Skipped[] = []
    for await (const one of file.values()) {
      if (one.type === 'json' && isRaw(one.value)) lines.push({ value: one.value, place: one.place })
      else {
        const [reason, place] = one.type === 'fault' ? [one.reason, one.place] : ['not a record', 'the file']
        skipped.push({ type: 'skipped', reason, place })
      }
    }
    yield* attemptRead(() => session(lines, file, skipped), 'the file')
  },
}

interface Line {
  readonly value: Raw
  readonly place: string
}

/** Reasoning goes with what follows it. */
interface Thoughts {
  readonly items: readonly Raw[]
  readonly at: string | undefined
  readonly place: string
}

const none: Thoughts = { items: [], at: undefined, place: '' }

/** Words that the client puts before what a person says. */
const injected =
  /^\s*(<environment_context>|<user_instructions>|<permissions|# AGENTS\.md|<INSTRUCTIONS>|<turn_aborted>)/

function session(lines: readonly Line[], file: SourceFile, faults: readonly Skipped[]): Imported {
  const meta = lines.find(({ value }) => value.type === 'session_meta')?.value
  const about = raw(meta?.payload ?? lines[0]?.value)
  const nodes: ImportedNode[] = []
  const skipped: Skipped[] = [...faults]
  let model: string | undefined
  let parent: string | null = null
  let thoughts = none
  const add = (node: Omit<ImportedNode, 'parent'>): void => {
    nodes.push({ ...node, parent })
    parent = node.id
  }
  const think = (): void => {
    if (thoughts.items.length > 0)
      add({ id: thoughts.place, says: { kind: 'message', message: thoughts.items }, at: thoughts.at, model })
    thoughts = none
  }
  for (const { value, place } of lines) {
    const isItem = value.type === 'response_item' || isBareItem(value) || value.type === 'reasoning'
    const payload = value.type === 'response_item' ? raw(value.payload) : isItem ? value : raw(value.payload)
    const at = timeOf(value.timestamp)
    if (value.type === 'turn_context') model = str(payload.model) ?? model
    else if (value.type === 'compacted') {
      think()
      add({
        id: `${place} compaction`,
        says: { kind: 'note', label: 'compaction', data: without(payload, 'message') },
        at,
      })
      const text = str(payload.message)
      if (text && nodes.length > 1) add({ id: place, says: { kind: 'summary', text }, at })
    } else if (isItem && payload.type === 'reasoning')
      thoughts = { items: [...thoughts.items, payload], at: thoughts.at ?? at, place: thoughts.place || place }
    else if (isItem) {
      const isOurs = isAssistants(payload)
      if (!isOurs) think()
      const before: readonly Raw[] = isOurs ? thoughts.items : []
      thoughts = none
      const text = textIn(payload)
      const isInjected = payload.role === 'developer' || (payload.role === 'user' && injected.test(text))
      const rest = { ...without(value, 'timestamp', 'type', 'payload'), item: restOf(payload) }
      const says = isSaid(payload)
        ? ({ kind: 'message', message: [...before, payload] } as const)
        : ({ kind: 'note', label: String(payload.type), data: payload } as const)
      add({ id: place, says, at, rest, injected: isInjected || undefined, model: isOurs ? model : undefined })
    } else if (value.type === 'event_msg' && payload.type === 'thread_rolled_back')
      parent = before(nodes, parent, Number(payload.num_turns ?? 1))
    else if (value.type === 'event_msg' && payload.type === 'token_count') usage(nodes, payload)
    else if (value !== meta && value !== lines[0]?.value)
      skipped.push({
        type: 'skipped',
        reason: `record of type ${String(payload.type ?? value.type ?? value.record_type)}`,
        place,
      })
  }
  if (thoughts.items.length > 0 && file.live)
    skipped.push({ type: 'skipped', reason: 'the last message is still being written', place: 'the end' })
  else think()
  const cwd = str(about.cwd)
  const id = str(about.id) ?? str(about.session_id) ?? file.name
  return {
    type: 'tree',
    format: 'codex',
    id,
    createdAt: timeOf(about.timestamp ?? meta?.timestamp),
    updatedAt: timeOf(lines.at(-1)?.value.timestamp ?? about.timestamp),
    folder: cwd && basename(cwd),
    tags: isRaw(about.source) ? ['subagent'] : [],
    head: parent,
    nodes,
    rest: without(about, 'id', 'timestamp', 'instructions'),
    warnings: [],
    skipped,
  }
}

const isAssistants = ({ type, role }: Raw): boolean =>
  role === 'assistant' || (typeof type === 'string' && type.endsWith('_call'))

const isSaid = ({ type, role }: Raw): boolean =>
  (type === 'message' && typeof role === 'string') || (typeof type === 'string' && /_(call|output)$/.test(type))

const textIn = ({ content }: Raw): string =>
  raws(content)
    .flatMap(({ text }) => str(text) ?? [])
    .join('\n')

const restOf = (payload: Raw): Record<string, unknown> =>
  without(
    payload,
    ...[
      'type',
      'role',
      'content',
      'arguments',
      'call_id',
      'name',
      'output',
      'input',
      'summary',
      'encrypted_content',
      'action',
    ],
  )

/** The last turns were taken back: what comes next follows what was before them. */
function before(nodes: readonly ImportedNode[], head: string | null, turns: number): string | null {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  let left = turns
  for (let at = head; at !== null; ) {
    const node = byId.get(at)
    if (!node) return null
    const message = node.says.kind === 'message' ? raw(asList(node.says.message).at(-1)) : {}
    if (message.role === 'user' && !node.injected && --left === 0) return node.parent
    at = node.parent
  }
  return null
}

/** What the last answer cost stands behind it. */
function usage(nodes: ImportedNode[], { info }: Raw): void {
  const cost = raw(info).last_token_usage
  const last = nodes.at(-1)
  if (!last || !isRaw(cost)) return
  nodes[nodes.length - 1] = { ...last, rest: { ...last.rest, usage: cost } }
}
