/** An operation as a tool: its name, what a model reads of it, and its answer in the bounds of a context window. */
import { z } from 'zod'
import type { Operation } from '../operations/operation.js'
import { fit } from './room.js'
import type { Hints, Link, Tool } from './tool.js'

interface ExposedTool<O> {
  readonly title: string
  /** What a model reads; the summary when left out. */
  readonly description?: string
  readonly hints?: Hints
  /** The answer for a model that reads no structured content. */
  readonly text: (output: O) => string
  readonly links?: (output: O) => readonly Link[]
}

interface Typed<I extends z.ZodObject, O extends z.ZodType> extends Operation {
  readonly input: I
  readonly output: O
}

export function exposeTool<I extends z.ZodObject, O extends z.ZodType>(
  name: string,
  operation: Typed<I, O>,
  { title, description, hints, text, links }: ExposedTool<z.output<O>>,
): Tool {
  const { summary, scope, input, output, run, destroys } = operation
  return {
    name,
    title,
    description: description ?? `${summary}.`,
    scope,
    hints: { ...(scope === 'read' && { reads: true }), ...(destroys && { destroys: true }), ...hints },
    input,
    accepts: input,
    output: z.object(output instanceof z.ZodObject ? output.shape : {}),
    run: async (given, context) => {
      const data = await within((asked) => run(context, asked as never), given)
      return {
        data: data as Record<string, unknown>,
        text: text(data as z.output<O>),
        ...(links && { links: links(data as z.output<O>) }),
      }
    },
  }
}

interface ListPage {
  readonly items: readonly unknown[]
  readonly next_cursor: string | null
}

/** A page too large for an answer is asked for again, as large as fits, so that its cursor leads to what was left out. */
async function within(run: (input: object) => unknown, input: object): Promise<unknown> {
  const output = await run(input)
  if (!isPage(output)) return output ?? {}
  const { items, left } = fit(output.items)
  return left === 0 ? output : run({ ...input, limit: items.length })
}

const isPage = (output: unknown): output is ListPage =>
  typeof output === 'object' && output !== null && 'items' in output && 'next_cursor' in output
