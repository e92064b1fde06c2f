/** What a request asks for, in our words. */

import { defined } from '../../core/message/defined.js'
import { decode } from '../../core/message/dialects/decode.js'
import type { ModelSettings, ModelTool } from '../../models/wire/contract.js'
import { modelNamed } from '../dialect/model-name.js'
import { refuse } from '../dialect/refuse.js'
import type { Ask } from '../dialect/start.js'
import type { Context } from '../kit/context.js'
import type { CountBody, MessagesBody } from './body.js'

export async function anthropicAsk({ frame, key }: Pick<Context, 'frame' | 'key'>, body: MessagesBody): Promise<Ask> {
  const model = await modelNamed(frame.models, body.model)
  body.messages.forEach(checkMessage)
  return defined<Ask>({
    messages: body.messages.filter(({ role }) => role !== 'system'),
    model: model?.id,
    ...anthropicHead(body),
    output: body.max_tokens,
    temperature: body.temperature,
    settings: settingsOf(body),
    overrides: undefined,
    budget: undefined,
    usualPolicy: undefined,
    key,
  })
}

/** What comes before the messages of a request. */
export const anthropicHead = (body: CountBody) => ({ system: anthropicSystem(body), tools: anthropicTools(body) })

/** What is said to the model before the talk, and what newer clients say to it in its middle. */
function anthropicSystem({ system, messages }: CountBody): string | undefined {
  const said = messages.flatMap(({ role, content }) => (role === 'system' ? [textIn(content)] : []))
  const text = [textIn(system ?? ''), ...said].filter((one) => one !== '').join('\n\n')
  return text === '' ? undefined : text
}

const textIn = (content: string | readonly { readonly [field: string]: unknown }[]): string =>
  typeof content === 'string'
    ? content
    : content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n\n')

/** A client's tools are its own to run. Those that only Anthropic can run are not offered to another model. */
function anthropicTools({ tools }: CountBody): readonly ModelTool[] | undefined {
  const made = (tools ?? []).flatMap(({ name, description, input_schema }) =>
    input_schema === undefined
      ? []
      : [{ name, ...(typeof description === 'string' && { description }), parameters: input_schema }],
  )
  return made.length === 0 ? undefined : made
}

function settingsOf(body: MessagesBody): ModelSettings | undefined {
  const { stop_sequences, top_p, thinking } = body
  const settings = defined<ModelSettings>({
    topP: top_p,
    stop: stop_sequences && stop_sequences.length > 0 ? stop_sequences : undefined,
    choice: choiceOf(body),
    thinking: thinking?.type === 'enabled' ? thinking.budget_tokens : undefined,
    seed: undefined,
    json: undefined,
  })
  return Object.keys(settings).length === 0 ? undefined : settings
}

function choiceOf({ tool_choice: choice }: MessagesBody): ModelSettings['choice'] {
  if (!choice) return undefined
  if (choice.type === 'any') return 'required'
  if (choice.type !== 'tool') return choice.type
  if (choice.name === undefined) throw refuse('tool_choice.name', 'is needed')
  return { tool: choice.name }
}

function checkMessage(message: object, i: number): void {
  const read = decode(message)
  if (!read.ok) throw refuse(`messages[${i}]${read.field === '' ? '' : `.${read.field}`}`, read.reason)
  if (read.parts.length + read.results.length === 0) throw refuse(`messages[${i}].content`, 'must not be empty')
}
