/** What `DefaultChatTransport` sends, and what an app may add to it. */
import { z } from 'zod'
import type { UiFields, UiMessage } from '../../adapters/ai-sdk/message.js'
import type { ModelTool } from '../../models/wire/contract.js'
import { id } from '../../operations/shapes/common.js'
import { runSettings } from '../../operations/shapes/run.js'

const { model, policy, system } = runSettings

const uiMessage = z
  .looseObject({
    id,
    role: z.enum(['system', 'user', 'assistant']),
    parts: z.array(z.looseObject({ type: z.string().max(200) })).max(10_000),
  })
  .meta({ id: 'UiMessage', description: 'A message as the AI SDK holds it; whatever else is in it is kept' })

const schema = z.record(z.string(), z.unknown())
const toolBody = z.looseObject({
  description: z.string().optional(),
  inputSchema: schema.optional(),
  parameters: schema.optional(),
})
const name = z.string().min(1).max(128)

export const uiChatBody = z.looseObject({
  id,
  messages: z.array(uiMessage).max(10_000).optional().describe('All that the client has'),
  message: uiMessage.optional().describe('The last one alone: the service has the others'),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: id.nullish().describe('What is answered again, or was edited'),
  model,
  policy,
  system,
  tools: z
    .union([z.record(name, toolBody), z.array(toolBody.extend({ name })).max(128)])
    .optional()
    .describe('Tools that the client runs itself'),
})

export type UiChatBody = z.output<typeof uiChatBody>

/** What the client says, oldest first; `all` when it is its whole history. */
export interface ToldByClient {
  readonly messages: readonly UiMessage[]
  readonly all: boolean
  /** What its system messages say: they hold for this run, and are no part of the conversation. */
  readonly system: string | undefined
}

export function toldIn({ messages = [], message, system }: UiChatBody): ToldByClient {
  const all = messages.length > 0
  const told = (all ? messages : message ? [message] : []) as readonly UiMessage[]
  const official = told.filter(({ role }) => role === 'system').map(textIn)
  return {
    messages: told.filter(({ role }) => role !== 'system'),
    all,
    system: system ?? (official.length > 0 ? official.join('\n\n') : undefined),
  }
}

const textIn = ({ parts }: UiMessage): string =>
  (parts as readonly UiFields[]).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')

export function toolsIn({ tools }: UiChatBody): readonly ModelTool[] | undefined {
  if (tools === undefined) return undefined
  const list = Array.isArray(tools) ? tools : Object.entries(tools).map(([name, tool]) => ({ ...tool, name }))
  return list.map(({ name, description, inputSchema, parameters }) => ({
    name,
    ...(description === undefined ? null : { description }),
    parameters: inputSchema ?? parameters ?? { type: 'object', properties: {} },
  }))
}
