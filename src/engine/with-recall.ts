/** A window of messages that no store keeps: for recall they are laid into a store that goes with it. */
import type { Target } from '../core/message/target.js'
import type { PolicyChoice, TargetOf } from '../core/policy/presets/index.js'
import { type Assembled, assemble, type Input } from '../core/window/assemble.js'
import { counterFor, type Options, resolvePolicy } from '../core/window/plan.js'
import type { Recall, Recalled } from '../core/window/recall.js'
import type { Recaller, Room } from '../recall/contract.js'
import { usualRecaller } from '../recall/usual.js'
import type { NewEntry } from '../store/contract/entry.js'
import { memoryStore } from '../store/memory/store.js'
import { checkBatch } from '../store/shared/gate.js'
import { callsOf } from '../store/shared/link.js'
import { askRecall } from './window/ask-recall.js'
import { entriesOf, type Writing } from './window/entries.js'
import { envOf, writingOf } from './writing.js'

/**
 * Like `assemble`, and looks in what did not fit for messages that the current one needs. Nothing is stored.
 *
 * @example
 * ```ts
 * const made = await assembleWithRecall({ messages, current: 'What was the hotel called?' }, 'balanced', { budget: 4_000 })
 * ```
 */
export async function assembleWithRecall<
  const P extends PolicyChoice = 'balanced',
  T extends Target = TargetOf<P>,
  Tool = never,
>(input: Input<Tool>, asked?: P, options?: Options<T>, recaller?: Recaller | null): Promise<Assembled<T, Tool>>
export async function assembleWithRecall(
  input: Input,
  asked?: PolicyChoice,
  given: Options = {},
  recaller: Recaller | null = usualRecaller,
): Promise<Assembled> {
  const resolved = resolvePolicy(asked, given)
  const options = { ...given, ...(resolved.ok && (await counterFor(resolved.policy, given))) }
  const { messages } = input
  if (!recaller || !resolved.ok || resolved.policy.recall.share === 0 || input.recall || !Array.isArray(messages))
    return assemble(input, asked, options)
  const { policy } = resolved
  const { overrides: _, compat: __, ...rest } = options
  const make = (recall: Recall): Assembled => assemble({ ...input, recall }, policy, rest)
  const built = make({ items: [] })
  if (!built.ok || built.receipt.budget.limit === null) return built
  const laid = layOf(messages, options.model)
  const place = {
    ...{ store: memoryStore(), workspace: 'default', conversation: 'loose', branch: 'main' },
    ...{ head: laid.entries.at(-1)?.id ?? null, now: options.now, from: 'conversation' as const },
  }
  const recall = await askRecall(within(recaller, laid), make, built, policy, laid.entries, place)
  return make(recall)
}

/** Entries at once, as a store takes them. */
const batch = 1_000
/** Of a message that says no time. */
const unknown = '1970-01-01T00:00:00.000Z'

interface Laid {
  readonly entries: readonly NewEntry[]
  /** The message of each entry, and the first entry of each message. */
  readonly places: ReadonlyMap<string, number>
  readonly depths: readonly number[]
}

function layOf(messages: readonly unknown[], model: string | undefined): Laid {
  const writing = writingOf(envOf({ now: () => unknown }), model)
  const places = new Map<string, number>()
  const depths: number[] = []
  const entries: NewEntry[] = []
  const open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    depths.push(entries.length)
    for (const [at, entry] of sound(message, writing).entries()) {
      const id = places.has(entry.id) ? `${index}.${at}` : entry.id
      places.set(id, index)
      for (const call of callsOf(entry.body)) open.add(call)
      const { body } = entry
      // no result without its call
      entries.push(body.kind === 'result' && !open.delete(body.callId) ? { ...nothing, id } : { ...entry, id })
    }
  }
  return { entries, places, depths }
}

/** What is no message, or none that a store takes, has its place all the same, and says nothing. */
function sound(message: unknown, writing: Writing): readonly NewEntry[] {
  try {
    const entries = entriesOf(message, writing)
    checkBatch(entries)
    return entries
  } catch {
    return [{ ...nothing, id: writing.env.id() }]
  }
}

const nothing: Omit<NewEntry, 'id'> = {
  body: { kind: 'note', label: 'unusable', data: null },
  text: '',
  tokens: 0,
  at: unknown,
}

/** The recaller counts entries, the window counts messages. */
function within(recaller: Recaller, { entries, places, depths }: Laid): Recaller {
  const inDepths = ({ inWindow, tokens, always }: Room): Room => ({
    tokens,
    always,
    inWindow: inWindow === null ? null : (depths[inWindow] ?? entries.length),
  })
  const inPlace = ({ at, ...item }: Recalled): Recalled => ({
    ...item,
    ...(at === undefined || at === unknown ? null : { at }),
    place: places.get(item.id) as number,
  })
  return async (asked) => {
    const { store, workspace, conversation, branch } = asked
    await store.create(workspace, { id: conversation, title: conversation, at: unknown })
    for (let from = 0; from < entries.length; from += batch)
      await store.append(workspace, conversation, entries.slice(from, from + batch), { branch, at: unknown })
    const { items, ...rest } = await recaller({
      ...asked,
      ...inDepths(asked),
      past: (share) => inDepths(asked.past(share)),
    })
    return { ...rest, items: items.map(inPlace) }
  }
}
