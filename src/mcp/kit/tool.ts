/** A tool as data: what it is called, what it takes, what it gives, and what it does. */
import { z } from 'zod'
import type { OperationScope } from '../../operations/context.js'
import type { McpContext } from './context.js'

export interface Told {
  /** As the output schema says. */
  readonly data: Readonly<Record<string, unknown>>
  /** The same for a model that reads no structured content: short, and nothing that matters is missing. */
  readonly text: string
  readonly links?: readonly Link[]
}

export interface Link {
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

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scope: OperationScope
  readonly hints: Hints
  /** As it is advertised. */
  readonly input: z.ZodObject
  /** As it is checked here: less than is advertised where the room below judges in words of its own. */
  readonly accepts: z.ZodObject
  readonly output: z.ZodObject
  readonly run: (input: never, context: McpContext) => Promise<Told>
}

interface Definition<I extends z.ZodObject, A extends z.ZodObject> extends Omit<Tool, 'input' | 'accepts' | 'run'> {
  readonly input: I
  readonly accepts?: A
  readonly run: (input: z.output<A>, context: McpContext) => Promise<Told>
}

// what `run` gets was parsed by the schema beside it
export const tool = <const I extends z.ZodObject, const A extends z.ZodObject = I>(
  definition: Definition<I, A>,
): Tool => ({
  accepts: definition.input,
  ...definition,
  run: definition.run as Tool['run'],
})

/** As `tools/list` tells it. */
export function listed({ name, title, description, hints, input, output }: Tool) {
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

/** Without what costs every client tokens and tells no model anything. */
function jsonOf(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema: made }) {
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum
      if (made.format !== undefined) delete made.pattern
      if (made.minLength === 1) delete made.minLength
      if (io === 'output') delete made.additionalProperties
    },
  })
  return json as { readonly type: 'object' } & Record<string, unknown>
}
