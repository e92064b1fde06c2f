/** Prompts for people to pick: go on with a conversation, hand a task over. */
import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Target } from '../core/message/target.js'
import { windowOf } from '../engine/window/window.js'
import { findConversation, findHead } from '../operations/find.js'
import { invalidInput } from '../operations/refusals.js'
import { windowRefused } from '../operations/windows.js'
import type { McpContext } from './kit/context.js'
import { mcpRefusal } from './kit/refusal.js'

interface Argument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

const conversation: Argument = { name: 'conversation_id', description: 'The conversation', required: true }
const branch: Argument = { name: 'branch', description: 'main when left out', required: false }
const budget: Argument = { name: 'budget_tokens', description: 'Tokens of the history', required: false }

export const prompts = [
  {
    name: 'continue_conversation',
    title: 'Continue a conversation',
    description: 'What was said so far, cut to a budget, to go on from',
    arguments: [conversation, branch, budget],
  },
  {
    name: 'handoff',
    title: 'Hand over a task',
    description: 'A task with the conversation that led to it, as an agent reads it',
    arguments: [
      conversation,
      { name: 'task', description: 'What is to be done', required: true },
      branch,
      { name: 'preset', description: 'handoff-user-first when left out', required: false },
    ],
  },
] as const

type Given = Readonly<Record<string, string | undefined>>

export async function getPrompt(name: string, given: Given, context: McpContext): Promise<GetPromptResult> {
  const prompt = prompts.find((one) => one.name === name)
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${name.slice(0, 100)}`)
  try {
    for (const { name, required } of prompt.arguments)
      if (required && !given[name]) throw invalidInput(name, `${name} is needed`)
    const text = prompt.name === 'handoff' ? await handoff(given, context) : await goOn(given, context)
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  } catch (error) {
    throw protocolErrorOf(error)
  }
}

/** For doors that know no `isError`. */
export function protocolErrorOf(error: unknown): unknown {
  if (error instanceof ProtocolError) return error
  const { code, issues, next } = mcpRefusal(error)
  const kind = code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(kind, `${code}: ${issues.map(({ message }) => message).join('; ')}. Next: ${next}.`)
}

async function goOn(given: Given, context: McpContext): Promise<string> {
  const tokens = given.budget_tokens === undefined ? 8_000 : Number(given.budget_tokens)
  if (!Number.isSafeInteger(tokens) || tokens < 0)
    throw invalidInput('budget_tokens', 'budget_tokens must be a whole number')
  const window = await windowed(given, context, { budget: tokens, target: 'text-tagged' })
  return `Let us go on with this conversation (${given.conversation_id}). This is what was said so far:\n\n${window}`
}

const presets: readonly string[] = ['handoff-user-first', 'handoff-balanced', 'handoff-assistant-first']

async function handoff(given: Given, context: McpContext): Promise<string> {
  const { task, preset = 'handoff-user-first' } = given
  if (!presets.includes(preset)) throw invalidInput('preset', `preset must be one of ${presets.join(', ')}`)
  return `TASK: ${task}\n${await windowed(given, context, { policy: preset, target: 'text-numbered' })}`
}

interface Asked {
  readonly policy?: string
  readonly budget?: number
  readonly target: Target
}

async function windowed(
  { conversation_id: id = '', branch = 'main' }: Given,
  context: McpContext,
  asked: Asked,
): Promise<string> {
  const { store, workspace } = context
  await findConversation(context, id)
  await findHead(context, id, branch)
  // all that was said is history here: nobody is asked to answer the last message
  const made = await windowOf({ store, workspace, conversation: id }, branch, { policy: context.policy, ...asked })
  if (!made.ok) throw windowRefused(made.error, made.warnings)
  return String(made.rendered)
}
