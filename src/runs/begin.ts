/** The beginning of a run: its message, its draft and the news of it are one commit. */
import type { Issue } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import { compact } from '../engine/compact/compact.js'
import type { Compacted } from '../engine/compact/contract.js'
import type { History } from '../engine/history.js'
import { openCallParts } from '../engine/open-calls.js'
import type { Source, Windowed } from '../engine/window/window.js'
import { writingOf } from '../engine/writing.js'
import type { Model } from '../models/wire/contract.js'
import type { Step } from '../store/contract/commit.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Draft, NewDraft } from '../store/contract/draft.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import { isQuestion, rowOf } from './ask.js'
import type { Run, RunRequest, Started } from './contract.js'
import { type Drive, drive } from './drive.js'
import { type Floor, refused } from './floor.js'
import { elsewhere, findRun, repeatedRun } from './look.js'
import { leftLine, startedFromLine } from './queue.js'
import { begun, type DraftBody, runEnded, runKinds } from './run.js'
import { type Settings, type SettledRun, settleRun } from './settings.js'
import { summariserOf } from './summarise.js'
import { entitle, retitle } from './title.js'
import { type Toolbox, usualLimits } from './tools/calls.js'
import { modelTool } from './tools/tool.js'

export interface Setting<M extends Pick<Model, 'id'> = Model> extends Omit<SettledRun, 'model'> {
  readonly history: History
  readonly model: M
  readonly titled: boolean
  /** As it was found; null when it is made by this run. */
  readonly found: Conversation | null
}

interface Wanted extends Settings, Pick<RunRequest, 'workspace' | 'conversation' | 'usualPolicy'> {
  /** When neither the request nor the conversation has one. */
  readonly usualSystem?: string | undefined
  /** The conversation, where it was read a moment ago. */
  readonly found?: Conversation
}

/** `orElse` says what to do about a model that cannot be asked; without it that is refused. */
export async function settingOf<M extends Pick<Model, 'id'> = Model>(
  { options, store, env, histories }: Floor,
  request: Wanted,
  orElse: (error: unknown, id: string | undefined) => M | Promise<never> = (error) => Promise.reject(error),
): Promise<Setting<Model | M>> {
  const { workspace, conversation } = request
  const found = request.found ?? (await store.get(workspace, conversation))
  const server = { policy: options.policy, system: options.system, presets: options.presets }
  const settled = settleRun(request, found, { policy: request.usualPolicy, system: request.usualSystem }, server)
  const model = await options.models.find(settled.model).catch((error: unknown) => orElse(error, settled.model))
  const history = await histories.open({
    ...{ store, workspace, conversation, env, policy: settled.policy, model: model.id, live: true },
    ...(options.recaller !== undefined && { recaller: options.recaller }),
    ...(options.log && { log: options.log }),
  })
  return { ...settled, history, model, titled: (found?.title ?? '') !== '', found }
}

export function freshRun(
  id: string,
  request: RunRequest,
  { model, policy }: Pick<Setting, 'model' | 'policy'>,
  at: string,
): Run {
  // a policy in full comes from outside, and may have forgotten its name
  const name = typeof policy === 'string' ? policy : String(policy.name ?? 'unnamed')
  return begun(id, request, { branch: request.branch ?? 'main', model: model.id, policy: name, at })
}

/** `inLine`: the run has waited, and leaves the line in the same commit. */
export async function beginRun(floor: Floor, asked: RunRequest, id: string, inLine = false): Promise<Started> {
  const { store, env, leaseSeconds } = floor
  const { workspace, conversation, message, key } = asked
  // a message is written once by its key; where there is none, the run itself is looked for
  const isKeyed = message === undefined && key !== undefined
  const before = isKeyed && (await findRun(store, workspace, conversation, id))
  if (before && before.state !== 'queued') return repeatedRun(floor, workspace, conversation, id)
  const setting = await settingOf(floor, asked)
  const { overrides, budget, temperature, effort, agent } = setting
  const box = await toolboxOf(floor, { ...asked, ...(agent !== undefined && { agent }) })
  const tools = box && [...(asked.tools ?? []), ...[...box.tools].map(([name, tool]) => modelTool(name, tool))]
  const request = {
    ...asked,
    ...(overrides && { overrides }),
    ...(budget !== undefined && { budget }),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { settings: { effort, ...asked.settings } }),
    ...(tools && tools.length > 0 && { tools }),
  }
  // the message is in the log then, and the tools are those that there are then
  const { message: _, key: __, expect: ___, ...again } = asked
  const at = env.now()
  let run = freshRun(id, request, setting, at)
  // the same request may have got in line elsewhere a moment ago
  const mayWait = request.key !== undefined && request.whenBusy === 'queue'
  const opening = (asked: string | null): Step[] => {
    run = { ...run, asked }
    const body: DraftBody = { run, after: null, ...(box && { request: again }) }
    const draft: NewDraft = { id, branch: run.branch, parent: asked, leaseSeconds, at, body, sole: true }
    return [
      { do: 'open-draft', draft },
      ...(inLine || isKeyed ? startedFromLine(run, at) : mayWait ? [leftLine(id)] : []),
      { do: 'emit', events: [{ type: 'run-started', data: { run } }], at },
    ]
  }
  const written = await write(setting, request, run, inLine || request.key !== undefined, opening)
  if (written.repeated) return repeatedRun(floor, workspace, conversation, id)
  const draft = written.also[0] as Draft
  const told = written.also.at(-1) as readonly StoredEvent[]
  const number = told[0]?.number ?? 1
  const last = written.entries.at(-1)
  const current = last && isQuestion(last) ? last : null
  const source = { store, workspace, conversation }
  const open = box && last && !current ? await openCallParts(source, last) : []
  if (current && !setting.titled && floor.options.titles !== 'off') void entitle(source, current, at).catch(() => {})
  const done = work(floor, {
    ...{ source, setting, request, again, run, current, epoch: draft.epoch, after: number, inLine, box, open },
  })
  const warnings = [...written.warnings, ...refusedSummary(floor, source)]
  return { run, repeated: false, after: number - 1, warnings, ...done }
}

/** `after` is the number of the event that told of its beginning. */
interface Begun
  extends Pick<Drive, 'source' | 'request' | 'again' | 'run' | 'current' | 'epoch' | 'after' | 'box' | 'open'> {
  readonly setting: Setting
  readonly inLine: boolean
}

/** Null where the caller runs its tools itself. */
async function toolboxOf({ options }: Floor, request: RunRequest): Promise<Toolbox | null> {
  if (!request.agent || !options.tools) return null
  const theirs = new Set(request.tools?.map(({ name }) => name))
  const all = await options.tools.of(request.workspace)
  if (all.size === 0) return null
  // a caller's own tool hides one of the same name
  const tools = new Map([...all].filter(([name]) => !theirs.has(name)))
  return { tools, theirs, decisions: request.decisions ?? {}, approve: options.approve }
}

function work(floor: Floor, begun: Begun): Pick<Started, 'ended' | 'answer' | 'cut'> {
  const { source, setting, request, run, current, after, inLine } = begun
  const { env, leaseSeconds, active, prefixes, options } = floor
  const { workspace, conversation } = source
  const control = new AbortController()
  const heed = heedStops(source, run.id, () => control.abort('stopped'))
  const writing = writingOf(env, setting.model.id)
  let made: (Windowed & { ok: true }) | null = null
  let answer: readonly Part[] | null = null
  // whoever gets in line says so in the conversation; those before them may wait behind one that came from the line
  let others = true
  const driven = drive({
    ...setting,
    ...begun,
    ...{ writing, leaseSeconds, control, prefixes },
    summarises: options.compaction !== 'off',
    limits: { ...usualLimits, ...options.limits, ...request.limits },
    ...options.witness,
    sent: (window, receipt) => {
      made = window
      options.witness?.sent?.(window, receipt)
    },
    said: (parts, isCrowded) => {
      answer = parts
      others = inLine || isCrowded
    },
  })
  const ended = driven
    .then((done) => done ?? elsewhere(floor.store, workspace, conversation, run.id, after))
    .finally(() => {
      heed()
      active.delete(run.id)
      if (others) floor.free(workspace, conversation)
    })
  active.set(run.id, { workspace, conversation, control, ended })
  ended.then(
    (done) => {
      options.ended?.(done, workspace)
      const byModel = (request.titles ?? options.titles ?? 'model') === 'model'
      if (current && !setting.titled && done.state === 'done' && byModel)
        retitle(source, setting.model, current, env.now()).catch(() => {})
      if (made && done.state === 'done')
        summarised(floor, { source, setting, request, made, branch: run.branch }).catch(() => {})
    },
    () => {},
  )
  const cut = (): readonly Issue[] => made?.warnings.filter(({ code }) => code === 'fit.current') ?? []
  return { ended, answer: () => answer, cut }
}

type Opening = (asked: string | null) => Step[]

const write = async ({ history, found }: Setting, request: RunRequest, run: Run, once: boolean, opening: Opening) => {
  const { branch, id } = run
  const expect = request.expect === undefined ? null : { expect: request.expect }
  return request.message === undefined
    ? answerAsItStands(history, branch, request.expect, opening)
    : history.append([spokenBy(request)].flat(), {
        branch,
        also: opening,
        ...(found && { conversation: found }),
        ...expect,
        ...(once && { key: id }),
      })
}

async function answerAsItStands(history: History, branch: string, expect: RunRequest['expect'], opening: Opening) {
  const [last] = await history.path(branch, 1)
  const head = last?.id ?? null
  if (expect !== undefined && expect !== head)
    throw refused('head_moved', 'the branch has moved on', { field: 'expect', value: head })
  if (!last) throw refused('invalid', 'there is nothing to answer', { field: 'branch', value: branch })
  return { entries: [last], also: await history.commit(opening(head)), repeated: false, warnings: [] }
}

function spokenBy({ message, author }: RunRequest): unknown {
  if (author === undefined) return message
  const said = typeof message === 'string' ? { role: 'user', content: message } : (message as object)
  return { ...said, name: author }
}

// Stopping a run from anywhere: the wish is written down, and the server that runs it looks for it.

/** Returns the number of the last event before the wish. `record_moved`: it has left the line at this moment. */
export function askToStop(store: Store, workspace: string, run: Run, at: string): Promise<number> {
  const { id } = run
  if (run.state === 'queued') return endInLine(store, workspace, { ...run, state: 'stopped' }, at)
  return tell(store, workspace, run, [
    { do: 'put-record', record: { kind: runKinds.stop, id, body: { run: id }, at } },
    { do: 'emit', events: [{ type: 'stop-asked', data: { run: id } }], at },
  ])
}

/** Ends a run that waits, with the state and the error that are given. */
export async function endInLine(store: Store, workspace: string, given: Run, at: string): Promise<number> {
  const { id } = given
  const run = { ...given, endedAt: at }
  const line = await store.getRecord(workspace, runKinds.queued, id)
  if (!line) throw refused('record_moved', 'the run has left the line')
  return tell(store, workspace, run, [
    // fails when someone began it meanwhile, who has taken it out of the line
    { do: 'put-record', record: { kind: runKinds.queued, id, body: line.body, at, expect: line.revision } },
    ...startedFromLine(run, at),
    { do: 'emit', events: [runEnded(run)], at },
  ])
}

async function tell(store: Store, workspace: string, { conversation }: Run, steps: readonly Step[]): Promise<number> {
  const { outcomes } = await store.commit(workspace, conversation, steps)
  const [first] = outcomes.at(-1) as readonly StoredEvent[]
  return (first?.number ?? 1) - 1
}

/** How often the wish is looked for, at most. */
const pauseMs = 250

/** Calls back once when someone wants the run to stop. Returns what ends the watch. */
function heedStops({ store, workspace, conversation }: Source, run: string, stop: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  const look = async (): Promise<void> => {
    const wish = await store.getRecord(workspace, runKinds.stop, run).catch(() => null)
    timer = undefined
    if (wish && !over) stop()
  }
  const off = store.watch(workspace, conversation, () => {
    timer ??= setTimeout(look, pauseMs)
  })
  return () => {
    over = true
    clearTimeout(timer)
    off()
  }
}

// After an answer: what its window had to leave out, or the next would, gets a summary, so that the next one knows of it.

interface Tidy {
  readonly source: Source
  readonly setting: Setting
  readonly request: RunRequest
  readonly branch: string
  /** The window that the answer was given to. */
  readonly made: Windowed & { ok: true }
}

const nameOf = ({ workspace, conversation }: Source): string => `${workspace}\0${conversation}`

/** Tidies, and tells what came of it: a summary that was refused leaves a trace with whoever looks for one. */
async function summarised(floor: Floor, work: Tidy): Promise<void> {
  const { options, env, unsummarised } = floor
  const { source } = work
  const outcome = await tidy(floor, work).catch((): Compacted => ({ ...failed }))
  if (outcome.state === 'unneeded') return
  options.summarised?.(outcome, { workspace: source.workspace, conversation: source.conversation })
  if (outcome.state === 'done') return unsummarised.set(nameOf(source), null)
  const { cause, attempts } = outcome
  // someone else wrote one meanwhile
  if (cause === 'summary_overtaken') return
  unsummarised.set(nameOf(source), cause)
  const events = [{ type: 'summary-refused', data: { cause, attempts } }]
  await source.store.commit(source.workspace, source.conversation, [{ do: 'emit', events, at: env.now() }])
}

const failed = { state: 'refused', cause: 'summary_failed', attempts: 1 } as const

/** What the next answer of the conversation is told, as long as no summary has been accepted since. */
function refusedSummary({ unsummarised }: Floor, source: Source): Issue[] {
  const cause = unsummarised.get(nameOf(source))
  if (!cause) return []
  const message = `no summary stands for what was left out (${cause}); the oldest messages are left out without one`
  return [{ code: 'summary.refused', field: 'policy.strategy', value: cause, message }]
}

/** One at a time for each conversation; whatever goes wrong, the conversation is as it was. */
async function tidy(floor: Floor, { source, setting, request, branch, made }: Tidy): Promise<Compacted> {
  const { env, options, tidying } = floor
  const { model, policy } = setting
  const name = nameOf(source)
  const missing = made.receipt.lines.some(({ fate, stage }) => fate === 'dropped' && stage === 'fit')
  if (!(missing || isFull(made)) || options.compaction === 'off' || tidying.has(name)) return { state: 'unneeded' }
  tidying.add(name)
  try {
    const byModel = model.kind !== 'builtin' && options.compaction !== 'extractive'
    return await compact(source, writingOf(env, model.id), {
      branch,
      policy,
      model: model.id,
      models: [rowOf(model)],
      live: true,
      ...(request.budget === undefined ? null : { budget: request.budget }),
      ...(request.overrides && { overrides: request.overrides }),
      // the share that is left to what is recalled is missing from the tail here, too
      ...(options.recaller !== null && { recall: { items: [] } }),
      ...(byModel && { summariser: summariserOf(model) }),
    })
  } finally {
    tidying.delete(name)
  }
}

/** The next window may have to leave something out. */
const isFull = ({ receipt: { budget } }: Tidy['made']): boolean =>
  budget.free !== null && budget.tokens !== null && budget.free < budget.tokens / 4
