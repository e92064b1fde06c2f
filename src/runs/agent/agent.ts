/** An agent in the caller's program: its own history, model and tools, run by the loop that the service runs. */
import { defined } from '../../core/message/defined.js'
import { HistoryError, type IssueCode } from '../../core/message/issue.js'
import type { Part } from '../../core/message/item.js'
import type { History } from '../../engine/history.js'
import { originOf } from '../../engine/origin.js'
import type { Message } from '../../engine/window/entries.js'
import type { FinishReason, Model, ModelEvent, ModelSettings, Usage } from '../../models/wire/contract.js'
import type { Run, RunRequest } from '../contract.js'
import { refused } from '../floor.js'
import { openRuns } from '../runs.js'
import type { AgentLimits, Decisions } from '../tools/calls.js'
import { modelTool, type Schema, type Tool, type ToolCall, type ToolResult } from '../tools/tool.js'

/** What an agent is made of. */
export interface AgentOptions<S extends Record<string, Schema> = Record<string, Schema>> {
  readonly history: History
  /** As `openModels` finds it, or `modelFrom` makes it. */
  readonly model: Model
  readonly tools?: { readonly [K in keyof S]: Tool<S[K]> }
  /** The system prompt; left out, that of the history. */
  readonly system?: string
  /** Tokens of each request; left out, the model's window. */
  readonly budget?: number
  readonly limits?: Partial<AgentLimits>
  /** Most tokens of one answer. */
  readonly output?: number
  readonly temperature?: number
  readonly settings?: ModelSettings
  /** Decides about calls of tools that ask first. Without it the agent stops there, and `resume` brings the decision. */
  readonly approve?: (call: ToolCall) => boolean | Promise<boolean>
}

/** What happens while an answer is made. */
export type AgentEvent =
  | ModelEvent
  /** A window was made, and its receipt is kept. */
  | { readonly type: 'step'; readonly step: number; readonly receipt: string; readonly tokens: number }
  | ({ readonly type: 'result'; readonly name: string } & ToolResult)

/** An answer, with what it took. */
export interface AgentAnswer {
  /** The text of the last answer. */
  readonly text: string
  readonly parts: readonly Part[]
  /** The entry of the last answer; null when nothing was said. */
  readonly entry: string | null
  /** Why it ended: the model was done, a call waits for approval, a limit was reached, or someone stopped it. */
  readonly ended: 'done' | 'approval' | 'steps' | 'tokens' | 'time' | 'stopped'
  readonly reason: FinishReason | null
  /** Calls that wait for a decision. */
  readonly waiting: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  /** The receipts of the windows, one for each step. */
  readonly receipts: readonly string[]
  readonly usage: Usage
}

/** A model, its tools and a conversation: `send` a message, get the answer. */
export interface Agent {
  /** Appends the message and answers it. */
  send(message: Message, options?: AskOptions): Promise<AgentAnswer>
  /** The same, told while it goes on; the last value is the answer. */
  stream(message: Message, options?: AskOptions): AsyncGenerator<AgentEvent, AgentAnswer, undefined>
  /** Goes on from where the history stands: with decisions about calls that wait, or after a stop or a crash. */
  resume(decisions?: Readonly<Record<string, boolean>>, options?: AskOptions): Promise<AgentAnswer>
}

export interface AskOptions {
  /** Stops it: what was said so far is kept. */
  readonly signal?: AbortSignal
}

/**
 * A chat with tools and memory, on a history.
 *
 * @example
 * ```ts
 * const agent = openAgent({
 *   history: await openHistory({ store: await sqliteStore('chat.db'), conversation: 'c1' }),
 *   model: modelFrom(anthropic('claude-sonnet-4-5')),
 *   tools: { time: { description: 'The time now', execute: () => new Date().toISOString() } },
 * })
 * const { text } = await agent.send('What time is it?')
 * ```
 */
export function openAgent<const S extends Record<string, Schema>>(options: AgentOptions<S>): Agent {
  const { history, model, approve } = options
  const { source, policy, system, env } = originOf(history)
  const tools = new Map<string, Tool>(Object.entries(options.tools ?? {}))
  // a schema that cannot be told to a model is refused here, not at the first message
  for (const [name, one] of tools) modelTool(name, one)

  const requestOf = (message: Message | null, decisions: Decisions): RunRequest => ({
    workspace: source.workspace,
    conversation: source.conversation,
    branch: history.branch,
    agent: true,
    decisions,
    ...(message !== null && { message }),
    ...defined({ system: options.system ?? system, budget: options.budget, output: options.output }),
    ...defined({ temperature: options.temperature, settings: options.settings, limits: options.limits }),
  })

  async function* go(message: Message | null, decisions: Decisions, { signal }: AskOptions): Loop {
    const events = newQueue<AgentEvent>()
    const told: { fault?: unknown; steps: number } = { steps: 0 }
    const runs = openRuns({
      store: source.store,
      models: { usual: model.id, list: async () => [], find: async () => model },
      policy,
      env,
      approve,
      tools: { of: async () => tools },
      titles: 'off',
      compaction: 'off',
      histories: { open: async () => history },
      witness: {
        sent: ({ receipt }, id) => {
          void events.add({ type: 'step', step: ++told.steps, receipt: id, tokens: receipt.request.used })
        },
        heard: events.add,
        answered: ({ told: _, milliseconds: __, ...result }) => void events.add({ type: 'result', ...result }),
        failed: (error) => {
          told.fault = error
        },
      },
    })
    const started = await runs.start(requestOf(message, decisions))
    const { id, conversation } = started.run
    const stop = (): void => void runs.stop(source.workspace, conversation, id).catch(() => {})
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      started.ended.then(events.end, events.end)
      yield* events.all()
      const run = await started.ended
      if (run.state === 'failed' && told.fault !== undefined) throw told.fault
      if (run.state === 'failed' || run.state === 'interrupted')
        throw run.error ? refused(run.error.code as IssueCode, run.error.message) : new HistoryError('internal', [])
      return answerOf(run, started.answer() ?? [])
    } finally {
      signal?.removeEventListener('abort', stop)
      // whoever stops listening stops the agent
      if (!events.ended()) stop()
      events.leave()
    }
  }

  const stream = (message: Message, asked: AskOptions = {}): Loop => go(message, {}, asked)

  return {
    stream,
    send: (message, asked) => last(stream(message, asked)),
    resume: (decisions = {}, asked = {}) => last(go(null, verdictsOf(decisions), asked)),
  }
}

type Loop = AsyncGenerator<AgentEvent, AgentAnswer, undefined>

const verdictsOf = (decisions: Readonly<Record<string, boolean>>): Decisions =>
  Object.fromEntries(Object.entries(decisions).map(([call, yes]) => [call, { verdict: yes ? 'approve' : 'deny' }]))

const answerOf = (run: Run, parts: readonly Part[]): AgentAnswer => ({
  text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
  parts,
  entry: run.entry,
  ended: endedOf(run),
  reason: run.finish,
  waiting: run.waiting,
  receipts: run.receipts,
  usage: run.usage ?? { input: 0, output: 0 },
})

function endedOf({ state, error }: Run): AgentAnswer['ended'] {
  if (state === 'waiting') return 'approval'
  if (state !== 'stopped') return 'done'
  const limit = (['steps', 'tokens', 'time'] as const).find((one) => error?.code === `limit_${one}`)
  return limit ?? 'stopped'
}

async function last(loop: Loop): Promise<AgentAnswer> {
  for (;;) {
    const { done, value } = await loop.next()
    if (done) return value
  }
}

/** What is told from within, read from without; `add` resolves when the reader comes for what follows. */
function newQueue<T>() {
  const waiting: { readonly one: T; readonly taken: () => void }[] = []
  let over = false
  let wake = (): void => {}
  const add = (one: T): Promise<void> =>
    new Promise((resolve) => {
      if (over) return resolve()
      waiting.push({ one, taken: resolve })
      wake()
    })
  return {
    add,
    end: (): void => {
      over = true
      wake()
    },
    /** Nobody reads any more. */
    leave: (): void => {
      over = true
      for (const { taken } of waiting.splice(0)) taken()
    },
    ended: (): boolean => over,
    async *all(): AsyncGenerator<T, void, undefined> {
      for (;;) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          try {
            yield next.one
          } finally {
            next.taken()
          }
        }
        if (over) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
