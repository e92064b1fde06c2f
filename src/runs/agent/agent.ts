/** The agent loop: a window, an answer, its tools, and again, each step with its receipt, until there is nothing to call. */
import { HistoryError } from '../../core/message/issue.js'
import type { CallPart, Part } from '../../core/message/item.js'
import type { History } from '../../engine/history.js'
import type { Message } from '../../engine/window/entries.js'
import type { FinishReason, Model, ModelEvent, ModelSettings, Usage } from '../../models/wire/contract.js'
import type { Entry } from '../../store/contract/entry.js'
import { growAnswer } from '../answer.js'
import { rowOf } from '../ask.js'
import { modelTool, runTool, type Schema, type Tool, type ToolCall, type ToolResult } from './tool.js'

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

export interface AgentLimits {
  /** Answers of the model for one message. */
  readonly steps: number
  /** Tokens for one message, in and out, as the provider counts. */
  readonly tokens: number
  readonly milliseconds: number
}

export type AgentEvent =
  | ModelEvent
  /** A window was made, and its receipt is kept. */
  | { readonly type: 'step'; readonly step: number; readonly receipt: string; readonly tokens: number }
  | ({ readonly type: 'result'; readonly name: string } & ToolResult)

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

const usual: AgentLimits = { steps: 20, tokens: Number.POSITIVE_INFINITY, milliseconds: 10 * 60_000 }

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
  const tools = new Map<string, Tool>(Object.entries(options.tools ?? {}))
  const told = [...tools].map(([name, one]) => modelTool(name, one))
  const limits: AgentLimits = { ...usual, ...options.limits }

  async function* go(question: Entry | null, decisions: Decisions, asked: AskOptions): Loop {
    const time = AbortSignal.timeout(Math.min(limits.milliseconds, 2 ** 31 - 1))
    const signal = asked.signal ? AbortSignal.any([asked.signal, time]) : time
    const sum = { receipts: [] as string[], usage: { input: 0, output: 0 } }
    let last: Said = { parts: [], entry: null, reason: null }
    const end = (ended: AgentAnswer['ended'], waiting: AgentAnswer['waiting'] = []): AgentAnswer => ({
      text: last.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
      ...last,
      ended,
      waiting,
      ...sum,
    })
    const cut = () => end(time.aborted && !asked.signal?.aborted ? 'time' : 'stopped')
    let open = question ? [] : await openCalls(history)
    for (let step = 1; ; step++) {
      if (open.length > 0) {
        const waiting = yield* answerCalls(open, decisions, signal)
        if (signal.aborted) return cut()
        if (waiting.length > 0) return end('approval', waiting)
      }
      if (step > limits.steps) return end('steps')
      if (sum.usage.input + sum.usage.output > limits.tokens) return end('tokens')
      last = yield* speak(step, step === 1 ? question : null, signal, sum)
      if (signal.aborted) return cut()
      open = last.parts.filter((part) => part.type === 'call')
      if (open.length === 0) return end('done')
    }
  }

  /** One answer of the model, kept as it grows; its receipt is kept with it. */
  async function* speak(
    step: number,
    question: Entry | null,
    signal: AbortSignal,
    sum: Sum,
  ): AsyncGenerator<AgentEvent, Said, undefined> {
    const { system, budget, output, temperature, settings } = options
    const made = await history.window({
      model: model.id,
      models: [rowOf(model)],
      target: model.target,
      tools: told,
      ...(system === undefined ? null : { system }),
      ...(budget === undefined ? null : { budget }),
      ...(question && { current: messageOf(question) }),
    })
    if (!made.ok) throw new HistoryError(made.error.code, [made.error, ...made.warnings])
    const draft = await history.draft({ leaseSeconds: 120 })
    const receipt = await history.keep(made.receipt, draft.id)
    sum.receipts.push(receipt)
    yield { type: 'step', step, receipt, tokens: made.receipt.request.used }
    const answer = growAnswer(draft.id)
    let reason: FinishReason | null = null
    let saved = 0
    try {
      const request = {
        window: made.window,
        items: made.items,
        signal,
        ...(told.length > 0 && { tools: told }),
        ...(output === undefined ? null : { output }),
        ...(temperature === undefined ? null : { temperature }),
        ...(settings && { settings }),
      }
      for await (const event of model.stream(request)) {
        answer.take(event)
        if (event.type === 'finish') {
          reason = event.reason
          sum.usage.input += event.usage?.input ?? 0
          sum.usage.output += event.usage?.output ?? 0
        }
        if (answer.size - saved > 2_000) {
          saved = answer.size
          await draft.save(answer.parts())
        }
        yield event
      }
    } catch (error) {
      await draft.save(answer.parts())
      await draft.abort()
      if (!signal.aborted) throw error
      return { parts: answer.parts(), entry: draft.id, reason }
    }
    await draft.finish(answer.parts(), { model: model.id })
    return { parts: answer.parts(), entry: draft.id, reason }
  }

  /** All at once; those that wait for a decision stay open. */
  async function* answerCalls(
    calls: readonly CallPart[],
    decisions: Decisions,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, AgentAnswer['waiting'], undefined> {
    const waiting: { id: string; name: string; input: unknown }[] = []
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => {
        const call: ToolCall = { id, name, input, signal }
        const verdict = await judge(call, decisions)
        if (verdict === 'run') return { name, ...(await runTool(tools.get(name), call)) }
        if (verdict === 'refuse') return { name, ...refused(id) }
        waiting.push({ id, name, input })
        return null
      }),
    )
    const done = results.filter((result) => result !== null)
    if (done.length > 0) await history.append(done.map(resultMessage))
    for (const result of done) yield { type: 'result', ...result }
    return waiting
  }

  async function judge(call: ToolCall, decisions: Decisions): Promise<'run' | 'refuse' | 'wait'> {
    const { approval = 'always' } = tools.get(call.name) ?? {}
    if (approval !== 'ask') return approval === 'always' ? 'run' : 'refuse'
    const decided = decisions[call.id] ?? (await approve?.(call))
    return decided === undefined ? 'wait' : decided ? 'run' : 'refuse'
  }

  async function* stream(message: Message, asked: AskOptions = {}): Loop {
    const { entries } = await history.append(message)
    const last = entries.at(-1)
    const question = last?.body.kind === 'message' && last.body.role === 'user' ? last : null
    return yield* go(question, {}, asked)
  }

  return {
    stream,
    send: (message, asked) => last(stream(message, asked)),
    resume: (decisions = {}, asked = {}) => last(go(null, decisions, asked)),
  }
}

type Loop = AsyncGenerator<AgentEvent, AgentAnswer, undefined>
type Decisions = Readonly<Record<string, boolean>>

interface Said {
  readonly parts: readonly Part[]
  readonly entry: string | null
  readonly reason: FinishReason | null
}

interface Sum {
  readonly receipts: string[]
  readonly usage: { input: number; output: number }
}

async function last(loop: Loop): Promise<AgentAnswer> {
  for (;;) {
    const { done, value } = await loop.next()
    if (done) return value
  }
}

const messageOf = ({ id, body, at }: Entry): object => ({
  id,
  role: 'user',
  parts: body.kind === 'message' ? body.parts : [],
  timestamp: at,
})

const resultMessage = ({ callId, state, output }: ToolResult): object => ({
  role: 'tool',
  parts: [{ type: 'result', callId, state, output }],
})

const refused = (callId: string): ToolResult => ({
  callId,
  state: 'error',
  output: [{ type: 'text', text: 'the user did not allow this call' }],
})

/** The calls of the newest answer that no result has answered yet. */
async function openCalls(history: History): Promise<CallPart[]> {
  const path = await history.path(history.branch, 200)
  const open = new Map<string, CallPart>()
  for (const { body } of path) {
    if (body.kind === 'message') {
      open.clear()
      for (const part of body.parts) if (part.type === 'call') open.set(part.id, part)
    }
    if (body.kind === 'result') open.delete(body.callId)
  }
  return [...open.values()]
}
