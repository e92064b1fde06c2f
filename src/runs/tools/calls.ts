/** The calls of an answer: which are run here, which wait, which are the caller's own, and what comes of them. */
import type { CallPart } from '../../core/message/item.js'
import { runTool, type Tool, type ToolCall, type ToolResult } from './tool.js'

/** What an agent may use up for one message. */
export interface AgentLimits {
  /** Answers of the model. */
  readonly steps: number
  /** Tokens in and out, as the provider counts. */
  readonly tokens: number
  readonly milliseconds: number
}

export const usualLimits: AgentLimits = { steps: 50, tokens: Number.POSITIVE_INFINITY, milliseconds: 10 * 60_000 }

export interface Decision {
  readonly verdict: 'approve' | 'deny'
  /** Told to the model when it is a denial. */
  readonly reason?: string
}

/** By the ids of calls. */
export type Decisions = Readonly<Record<string, Decision>>

/** Where the tools of a server come from: they may change from run to run. */
export interface ToolSource {
  /** By the names under which a model calls them. */
  of(workspace: string): Promise<ReadonlyMap<string, Tool>>
}

/** Functions of the host's own, and what other sources have. */
export const toolsFrom = (own: Readonly<Record<string, Tool>>, others: ToolSource | null = null): ToolSource => ({
  of: async (workspace) => new Map([...((await others?.of(workspace)) ?? []), ...Object.entries(own)]),
})

/** What decides about the calls of a run. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, Tool>
  /** Names of tools that the caller runs. */
  readonly theirs: ReadonlySet<string>
  readonly decisions: Decisions
  /** Asked about a call that nobody has decided about; left out, the call waits. */
  readonly approve?: ((call: ToolCall) => boolean | Promise<boolean>) | undefined
}

export interface Sorted {
  readonly run: readonly CallPart[]
  readonly denied: readonly CallPart[]
  readonly waiting: readonly CallPart[]
  /** The caller brings their results. */
  readonly theirs: readonly CallPart[]
}

export async function sortCalls(calls: readonly CallPart[], box: Toolbox, signal: AbortSignal): Promise<Sorted> {
  const places = await Promise.all(calls.map((call) => placeOf(call, box, signal)))
  const at = (place: keyof Sorted) => calls.filter((_, i) => places[i] === place)
  return { run: at('run'), denied: at('denied'), waiting: at('waiting'), theirs: at('theirs') }
}

async function placeOf({ id, name, input }: CallPart, box: Toolbox, signal: AbortSignal): Promise<keyof Sorted> {
  const tool = box.tools.get(name)
  // a tool that nobody has is answered here, too: the model is told so
  if (!tool) return box.theirs.has(name) ? 'theirs' : 'run'
  const { approval = 'always' } = tool
  if (approval !== 'ask') return approval === 'always' ? 'run' : 'denied'
  const decided = box.decisions[id]
  if (decided) return decided.verdict === 'approve' ? 'run' : 'denied'
  const allowed = await box.approve?.({ id, name, input, signal })
  return allowed === undefined ? 'waiting' : allowed ? 'run' : 'denied'
}

export interface Done extends ToolResult {
  readonly name: string
  /** What is told of it: an error of the tool's own is another thing than one that was never run. */
  readonly told: 'ok' | 'error' | 'unknown' | 'denied'
  readonly milliseconds: number
}

/** Ends with the signal, whether the tool listens or not. */
export async function doCall(
  { id, name, input }: CallPart,
  tools: Toolbox['tools'],
  signal: AbortSignal,
): Promise<Done> {
  const began = performance.now()
  let cut = (): void => {}
  const stopped = new Promise<null>((resolve) => {
    cut = () => resolve(null)
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut, { once: true })
  })
  const made = await Promise.race([runTool(tools.get(name), { id, name, input, signal }), stopped])
  signal.removeEventListener('abort', cut)
  const milliseconds = Math.round(performance.now() - began)
  if (!made) return { ...unknownResult(id, 'the run was stopped'), name, told: 'unknown', milliseconds }
  return { ...made, name, told: made.state, milliseconds }
}

export const deny = ({ id, name }: CallPart, { decisions }: Toolbox): Done => ({
  ...saying(id, ['the user did not allow this call', decisions[id]?.reason].filter(Boolean).join(': ')),
  name,
  told: 'denied',
  milliseconds: 0,
})

/** For a call that was begun and never heard of again. */
export const unknownResult = (call: string, why: string): ToolResult =>
  saying(
    call,
    `${why} while this call was running. Whether it took effect is not known, and it was not run again: check before you repeat it.`,
  )

const saying = (callId: string, text: string): ToolResult => ({
  callId,
  state: 'error',
  output: [{ type: 'text', text }],
})
