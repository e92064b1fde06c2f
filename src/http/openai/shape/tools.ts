/** A client's tools: its own to run. What can only run at OpenAI is not offered to another model. */
import { z } from 'zod'
import type { ModelSettings, ModelTool } from '../../../models/wire/contract.js'
import { refuse } from '../../dialect/refuse.js'

const fields = z.record(z.string(), z.unknown())
const named = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().nullish(),
  parameters: fields.nullish(),
})

export const tools = z.array(z.looseObject({ type: z.string() })).max(10_000)
export const toolChoice = z.union([z.string(), fields])

/** Chat Completions wraps a tool in `function`, Responses does not. */
export function openaiTools(given: z.output<typeof tools> | null | undefined): readonly ModelTool[] | undefined {
  const made = (given ?? []).flatMap((tool, i) => {
    if (tool.type !== 'function') return []
    const read = named.safeParse(tool.function ?? tool)
    if (!read.success) throw refuse(`tools[${i}]`, 'a function has a name and parameters')
    const { name, description, parameters } = read.data
    return [
      {
        name,
        ...(description ? { description } : null),
        parameters: parameters ?? { type: 'object', properties: {} },
      },
    ]
  })
  return made.length === 0 ? undefined : made
}

export function toolChoiceOf(given: z.output<typeof toolChoice> | null | undefined): ModelSettings['choice'] {
  if (given === undefined || given === null) return undefined
  if (given === 'auto' || given === 'none' || given === 'required') return given
  const name = typeof given === 'object' ? (nameIn(given.function) ?? nameIn(given)) : undefined
  if (name !== undefined) return { tool: name }
  const mode = typeof given === 'object' ? given.mode : undefined
  if (mode === 'auto' || mode === 'required') return mode
  throw refuse('tool_choice', 'must be auto, none, required or a function')
}

const nameIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : undefined
