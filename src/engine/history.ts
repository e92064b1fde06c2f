/** The object people hold: one conversation on a store, and the window it becomes. */
import { HistoryError, type Issue } from '../core/message/issue.js'
import type { Target } from '../core/message/target.js'
import type { PolicyChoice, TargetOf } from '../core/policy/presets/index.js'
import type { Receipt } from '../core/receipt/receipt.js'
import { resolvePolicy } from '../core/window/plan.js'
import type { Recaller } from '../recall/contract.js'
import { usualRecaller } from '../recall/usual.js'
import { type Hooks, withHooks } from '../store/around/hooks.js'
import type { Appended, AppendOptions } from '../store/contract/append.js'
import type { Branch, BranchMove } from '../store/contract/branch.js'
import type { Committed, Step } from '../store/contract/commit.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry, NewEntry } from '../store/contract/entry.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Store } from '../store/contract/store.js'
import type { Removal, Verification } from '../store/contract/upkeep.js'
import { checkBatch } from '../store/shared/gate.js'
import { refusal } from '../store/shared/refuse.js'
import { type CompactRequest, compact } from './compact/compact.js'
import type { Compacted } from './compact/contract.js'
import { type DraftHandle, openDraft, type Recovered, recoverDrafts } from './draft.js'
import { eventOf, type WindowEvent } from './event.js'
import { type Exported, exportOf } from './export.js'
import { checkLimits, expand, isLead, type Limits, limitsOf, shelve, unsentWarnings } from './limits.js'
import { openCalls } from './open-calls.js'
import { withOrigin } from './origin.js'
import { type Reconciled, type ReconcileRequest, reconcile } from './reconcile.js'
import { redactEntry } from './redact.js'
import { keyed, knownBefore } from './retry.js'
import {
  type Env,
  entriesOf,
  interruptedResult,
  type Mark,
  type Message,
  markEntry,
  marksOf,
  resultEntry,
  summaryEntry,
} from './window/entries.js'
import { branchMoved, entryAdded, newsOf } from './window/news.js'
import { type Windowed, type WindowRequest, windowOf } from './window/window.js'
import { envOf, writingOf } from './writing.js'

/** Which conversation, on which store, and what its windows are like. */
export interface HistoryOptions<P extends PolicyChoice = PolicyChoice> extends Hooks {
  readonly store: Store
  /** Whose data it is. */
  readonly workspace?: string
  /** The conversation; it is made when there is none. Left out, a new one begins. */
  readonly conversation?: string
  readonly title?: string
  /** The system prompt of its windows; a window can bring another. It is not stored. */
  readonly system?: string
  /** The policy of its windows. */
  readonly policy?: P
  /** The model whose tokens are counted when entries are written. */
  readonly model?: string
  readonly env?: Partial<Env>
  readonly limits?: Partial<Limits>
  /** Every write also tells those who follow the conversation, in the same commit. */
  readonly live?: boolean
  /** Finds the earlier messages that matter when not all of them fit a window; left out, the usual one, null for none. */
  readonly recaller?: Recaller | null
  /** Told of each window that is made. */
  readonly log?: (event: WindowEvent) => void
}

/** Where messages go, and what must still be true when they do. */
export interface AppendRequest {
  readonly branch?: string
  /** The head you saw; if it has moved on, nothing is written. */
  readonly expect?: string | null
  /** The same key and the same messages again give the same answer. */
  readonly key?: string
  /** The conversation, if it was read just now. */
  readonly conversation?: Conversation
  /** More steps of the same commit, given the id of the last message; not taken when the append is a repetition. */
  readonly also?: (last: string) => readonly Step[]
}

/** What was written, and what is worth a warning. */
export interface AppendResult extends Appended {
  /** Early warnings: a limit is near, or a message is kept that no window will show. */
  readonly warnings: readonly Issue[]
  /** What became of the steps that were taken along. */
  readonly also: Committed['outcomes']
}

/** `D` is the target of windows that name none: it follows from the policy. */
export interface History<D extends Target = Target> {
  readonly id: string
  readonly workspace: string
  /**
   * Messages in any dialect, all of them or none; a tool result is a message of its own.
   *
   * @example
   * ```ts
   * await history.append('Where is the invoice?')
   * const { warnings } = await history.append([{ role: 'assistant', content: 'On your desk.' }])
   * ```
   */
  append(messages: Message | readonly Message[], request?: AppendRequest): Promise<AppendResult>
  /** Entries that were made already, with facts of their own; `from` begins elsewhere than at the head. */
  write(
    entries: readonly NewEntry[],
    request?: AppendRequest & { readonly from?: string | null },
  ): Promise<AppendResult>
  /**
   * What a model should see now, with the receipt that explains it.
   *
   * @example
   * ```ts
   * const made = await history.window({ model: 'gpt-4o', target: 'openai-chat' })
   * if (made.ok) await openai.chat.completions.create({ model: 'gpt-4o', ...made.rendered })
   * ```
   */
  window<T extends Target = D, Tool = never>(request?: WindowRequest<T, Tool>): Promise<Windowed<T, Tool>>
  /** Steps of the store's own, all of them or none. */
  commit(steps: readonly Step[]): Promise<Committed['outcomes']>
  /** A record that a commit put; null when there is none, or when it is another conversation's. */
  record(kind: string, id: string): Promise<StoredRecord | null>
  /** Something for people and programs, never for the model: a failed run, a notice, a mark. */
  note(label: string, data: unknown, request?: AppendRequest): Promise<AppendResult>
  /** A new branch at an entry (or at the beginning); nothing is copied. */
  fork(at: string | null, name?: string): Promise<Branch>
  /** Another version of a message: a sibling on a branch of its own. */
  edit(entry: string, message: unknown, name?: string): Promise<AppendResult & { readonly branch: string }>
  /** A branch that ends before an answer, ready for another one. */
  regenerate(entry: string, name?: string): Promise<Branch>
  /** The branch that calls without one use from now on. */
  switch(branch: string): Promise<Branch>
  readonly branch: string
  branches(): Promise<readonly Branch[]>
  path(branch?: string, limit?: number): Promise<readonly Entry[]>
  feed(after: number, limit?: number): Promise<readonly Entry[]>
  /** A client that resends its whole history writes only what is new; where it differs, a branch begins. */
  reconcile(messages: readonly unknown[], request?: ReconcileRequest): Promise<Reconciled>
  /** A message while it is being streamed. */
  draft(request?: { readonly branch?: string; readonly leaseSeconds?: number }): Promise<DraftHandle>
  /** Turns what a crash left behind into aborted messages, each exactly once. */
  recover(): Promise<readonly Recovered[]>
  /** The whole text of a result that was cut for storage. */
  expand(entry: string): Promise<string>
  keep(receipt: Receipt, entry?: string): Promise<string>
  export(): Promise<Exported>
  verify(): Promise<Verification>
  /** Removes its words everywhere they stand, the summaries that were made of them among them. */
  redact(entry: string): Promise<Removal>
  /** Pins an entry to every window of its path, or excludes it from them. */
  mark(entry: string, change: { readonly pinned?: boolean; readonly excluded?: boolean }): Promise<Mark>
  marks(): Promise<readonly Mark[]>
  /** Writes a summary of the path up to an entry; it stands for it in windows that do not hold everything. */
  summarise(words: string, until: string, request?: AppendRequest): Promise<AppendResult>
  /** Writes a summary of what the window leaves out, if enough is missing from it; whatever fails, nothing changes. */
  compact(request?: CompactRequest): Promise<Compacted>
  remove(): Promise<Removal>
  describe(): Promise<Conversation>
}

/**
 * Opens a conversation on a store; it is made when there is none.
 *
 * @example
 * ```ts
 * const history = await openHistory({ store: await sqliteStore('chat.db'), conversation: 'c1' })
 * await history.append('Hello!')
 * ```
 */
export async function openHistory<const P extends PolicyChoice = 'balanced'>(
  options: HistoryOptions<P>,
): Promise<History<TargetOf<P>>>
export async function openHistory(options: HistoryOptions): Promise<History> {
  const { workspace = 'default', live = false } = options
  const store = withHooks(options.store, options)
  const resolved = resolvePolicy(options.policy, {})
  if (!resolved.ok) throw new HistoryError('policy.invalid', resolved.issues)
  const { policy } = resolved
  const { recaller = usualRecaller } = options
  const env = envOf(options.env)
  const id = options.conversation ?? env.id()
  await ensure(store, workspace, id, options.title, env)
  const limits = limitsOf(options.limits)
  const writing = writingOf(env, options.model)
  const source = { store, workspace, conversation: id }
  let chosen = 'main'

  const head = async (branch: string): Promise<string | null> =>
    (await store.branches(workspace, id)).find((one) => one.name === branch)?.head ?? null

  const lastOf = async (branch: string): Promise<Entry | null> =>
    (await store.window(workspace, id, branch, { entries: 0 })).head

  /** The one write gate: calls that were left open are closed before anything else is said. */
  const write = async (
    entries: readonly NewEntry[],
    branch: string,
    request: AppendRequest & { readonly from?: string | null },
  ): Promise<AppendResult> => {
    const named = request.key === undefined ? entries : keyed(entries, request.key)
    const shelved = await shelve(named, source, writing, limits)
    const warnings = checkLimits(shelved, request.conversation ?? (await store.get(workspace, id)), limits)
    for (let attempt = 0; ; attempt++) {
      const { from } = request
      const last =
        from === undefined ? await lastOf(branch) : from === null ? null : await store.entry(workspace, id, from)
      const start = from === undefined ? (last?.id ?? null) : from
      if (attempt === 0) warnings.push(...unsentWarnings(shelved, policy, isLead(last)))
      const closing = await closings(last, shelved)
      const batch = [...closing, ...shelved]
      checkBatch(batch)
      const expect =
        request.expect !== undefined
          ? request.expect
          : closing.length > 0 && request.from === undefined
            ? start
            : undefined
      try {
        const options = {
          branch,
          at: env.now(),
          ...(expect === undefined ? null : { expect }),
          ...(request.from === undefined ? null : { from: request.from }),
          ...(request.key === undefined ? null : { key: request.key }),
        }
        return { ...(await put(batch, options, request.also)), warnings }
      } catch (error) {
        const known = await knownBefore(error, shelved, source)
        if (known) return { ...known, warnings, also: [] }
        const lostRace = HistoryError.is(error) && error.code === 'head_moved' && request.expect === undefined
        if (!lostRace || attempt >= 8) throw error
      }
    }
  }

  const put = async (
    entries: readonly NewEntry[],
    options: AppendOptions,
    also: AppendRequest['also'],
  ): Promise<Omit<AppendResult, 'warnings'>> => {
    const last = entries.at(-1) as NewEntry
    const steps: Step[] = [{ do: 'append', entries, options }]
    if (live) steps.push({ do: 'emit', events: [entryAdded(entries, options.branch)], at: options.at })
    if (also) steps.push(...also(last.id))
    if (steps.length === 1) return { ...(await store.append(workspace, id, entries, options)), also: [] }
    const { outcomes } = await store.commit(workspace, id, steps)
    return { ...(outcomes[0] as Appended), also: outcomes.slice(live ? 2 : 1) }
  }

  const point = async (name: string, to: string | null): Promise<Branch> => {
    const move: BranchMove = { name, head: to, expect: null, at: env.now() }
    if (!live) return store.setBranch(workspace, id, move)
    const told: Step = { do: 'emit', events: [branchMoved(name, to)], at: move.at }
    return (await store.commit(workspace, id, [{ do: 'set-branch', move }, told])).outcomes[0] as Branch
  }

  const closings = async (last: Entry | null, entries: readonly NewEntry[]): Promise<NewEntry[]> => {
    if (last === null) return []
    const open = await openCalls(source, last)
    if (open.length === 0) return []
    const answered = new Set(entries.flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : [])))
    // results may still be on their way: only a new message ends the wait
    if (!entries.some(({ body }) => body.kind === 'message')) return []
    return open
      .filter((call) => !answered.has(call))
      .map((call) => resultEntry(interruptedResult(call), env.now(), writing))
  }

  function currentWindow<T extends Target, Tool>(request?: WindowRequest<T, Tool>): Promise<Windowed<T, Tool>>
  async function currentWindow(request: WindowRequest = {}): Promise<Windowed> {
    const made = await windowOf(source, request.branch ?? chosen, {
      policy,
      ...(options.model === undefined ? null : { model: options.model }),
      ...(options.system === undefined ? null : { system: options.system }),
      ...(recaller && { recaller }),
      ...request,
    })
    options.log?.(eventOf(made, id, request.trace))
    return made
  }

  const history: History = {
    id,
    workspace,
    get branch() {
      return chosen
    },
    async append(messages, request = {}) {
      const list = Array.isArray(messages) ? messages : [messages]
      const entries = list.flatMap((message, i) => entriesOf(message, writing, `messages[${i}]`))
      return write(entries, request.branch ?? chosen, request)
    },
    write: (entries, request = {}) => write(entries, request.branch ?? chosen, request),
    window: currentWindow,
    async commit(steps) {
      const told = live ? newsOf(steps) : []
      return (await store.commit(workspace, id, [...steps, ...told])).outcomes.slice(0, steps.length)
    },
    async record(kind, name) {
      const found = await store.getRecord(workspace, kind, name)
      return found?.conversation === id ? found : null
    },
    note: (label, data, request = {}) =>
      write(
        [{ id: env.id(), body: { kind: 'note', label, data }, text: '', tokens: 0, at: env.now() }],
        request.branch ?? chosen,
        request,
      ),
    async fork(at, name = `branch-${env.id()}`) {
      return point(name, at)
    },
    async edit(entry, message, name = `edit-${env.id()}`) {
      const old = await known(entry)
      const another = entriesOf(message, writing).map((one) => (one.id === entry ? { ...one, id: env.id() } : one))
      const written = await write(another, name, { from: old.parent, expect: null })
      return { ...written, branch: name }
    },
    async regenerate(entry, name = `again-${env.id()}`) {
      const old = await known(entry)
      if (old.body.kind !== 'message' || old.body.role !== 'assistant')
        throw refusal('invalid', 'only an answer can be regenerated', { field: 'entry', value: entry })
      return point(name, old.parent)
    },
    async switch(branch) {
      const found = (await store.branches(workspace, id)).find((one) => one.name === branch)
      if (!found) throw refusal('not_found', 'there is no such branch', { field: 'branch', value: branch })
      chosen = branch
      return found
    },
    branches: () => store.branches(workspace, id),
    async path(branch = chosen, limit) {
      const at = await head(branch)
      return at === null ? [] : store.path(workspace, id, at, limit)
    },
    feed: (after, limit = 1_000) => store.feed(workspace, id, after, limit),
    reconcile: (messages, request = {}) =>
      reconcile(
        { source, writing, write, resultChars: limits.resultChars },
        messages,
        request.branch ?? chosen,
        request,
      ),
    draft: async (request = {}) =>
      openDraft(
        { source, writing, head: await head(request.branch ?? chosen) },
        request.branch ?? chosen,
        request.leaseSeconds ?? 30,
      ),
    recover: () => recoverDrafts(source, writing),
    expand: async (entry) => expand(await known(entry), source),
    async keep(receipt, entry) {
      const receiptId = `ctx_${env.id()}`
      await store.putReceipt(workspace, {
        id: receiptId,
        conversation: id,
        entry: entry ?? null,
        at: env.now(),
        body: receipt,
      })
      return receiptId
    },
    export: () => exportOf(source),
    verify: () => store.verify(workspace, id),
    redact: (entry) => redactEntry(source, entry),
    async mark(entry, change) {
      await known(entry)
      return markEntry(source, entry, change, env.now())
    },
    marks: () => marksOf(source),
    async summarise(words, until, request = {}) {
      const branch = request.branch ?? chosen
      const at = await head(branch)
      const path = at === null ? [] : await store.path(workspace, id, at)
      if (!path.some((entry) => entry.id === until))
        throw refusal('invalid', 'a summary covers the path of its branch', { field: 'until', value: until })
      return write([summaryEntry(words, until, writing)], branch, request)
    },
    compact: (request = {}) =>
      compact(source, writing, {
        policy,
        live,
        ...(options.model === undefined ? null : { model: options.model }),
        // what is left to recall is missing from the tail here, too
        ...(recaller && { recall: { items: [] } }),
        ...request,
        branch: request.branch ?? chosen,
      }),
    remove: () => store.remove(workspace, id),
    async describe() {
      const found = await store.get(workspace, id)
      if (!found) throw refusal('gone', 'the conversation was deleted', { field: 'conversation', value: id })
      return found
    },
  }

  const known = async (entry: string): Promise<Entry> => {
    const found = await store.entry(workspace, id, entry)
    if (!found) throw refusal('not_found', 'there is no such entry', { field: 'entry', value: entry })
    return found
  }
  return withOrigin(history, { source, policy, system: options.system, env })
}

/** Two openers at once are fine: one makes the conversation, the other finds it. */
async function ensure(store: Store, workspace: string, id: string, title: string | undefined, env: Env): Promise<void> {
  if (await store.get(workspace, id)) return
  try {
    await store.create(workspace, { id, at: env.now(), ...(title === undefined ? null : { title }) })
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'id_conflict') throw error
  }
}
