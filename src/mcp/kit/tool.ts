/** A tool as data: what it is called, what it takes, what it gives, and what it does. */
import { z } from 'zod'
import type { Operation } from '../../operations/operation.js'
import type { McpContext } from './context.js'

export interface ToolAnswer {
  /** As the output schema says. */
  readonly data: Readonly<Record<string, unknown>>
  /** The same for a model that reads no structured content: short, and nothing that matters is missing. */
  readonly text: string
  readonly links?: readonly ToolLink[]
}

export interface ToolLink {
  readonly uri: string
  readonly name: string
}

/** What a client may think of a call before it is made. */
export interface Hints {
  readonly reads?: true
  readonly destroys?: true
  /** The same call again changes nothing more. */
  readonly repeats?: true
  /** It reaches beyond this server: agents do what they like. */
  readonly open?: true
}

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What it does, and who may do it. */
  readonly operation: Operation
  readonly hints: Hints
  /** As it is advertised; what is sent is checked by the operation. */
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly run: (input: Readonly<Record<string, unknown>>, context: McpContext) => Promise<ToolAnswer>
}

/** As `tools/list` tells it. */
export function listedTool({ name, title, description, hints, input, output }: McpTool) {
  return {
    name,
    title,
    description,
    inputSchema: jsonOf(input, 'input'),
    outputSchema: jsonOf(output, 'output'),
    annotations: {
      title,
      readOnlyHint: hints.reads ?? false,
      destructiveHint: hints.destroys ?? false,
      idempotentHint: hints.repeats ?? hints.reads ?? false,
      openWorldHint: hints.open ?? false,
    },
  }
}

const onlyChoices = (schema: z.core.JSONSchema.BaseSchema): schema is { anyOf: z.core.JSONSchema.BaseSchema[] } =>
  schema.anyOf !== undefined && Object.keys(schema).length === 1

/** Without what costs every client tokens and tells no model anything. */
function jsonOf(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema: made }) {
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum
      if (made.minLength === 1) delete made.minLength
      // no model counts characters; the operation does, and says what it refuses
      delete made.maxLength
      delete made.pattern
      // what every id is
      if (/^The id of an? \w+$/.test(made.description ?? '')) delete made.description
      if (made.anyOf) made.anyOf = made.anyOf.flatMap((one) => (onlyChoices(one) ? one.anyOf : [one]))
      delete made.maxItems
      if (io === 'output' || JSON.stringify(made.additionalProperties) === '{}') delete made.additionalProperties
    },
  })
  return json as { readonly type: 'object' } & Record<string, unknown>
}
