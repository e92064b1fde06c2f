/** An operation as a tool: its name, what a model reads of it, and its answer in the bounds of a context window. */
import { z } from 'zod'
import type { Operation } from '../../operations/operation.js'
import { fit } from './room.js'
import type { Hints, Link, Tool } from './tool.js'

interface ExposedTool<I, O, S> {
  readonly title: string
  /** What a model reads; the summary when left out. */
  readonly description?: string
  readonly hints?: Hints
  /** What is checked here, where the operation itself says better what is wrong. */
  readonly accepts?: z.ZodObject
  /** The part of the answer that is shown, with its schema. */
  readonly show?: { readonly output: z.ZodObject; readonly from: (output: O) => S }
  /** The answer for a model that reads no structured content. */
  readonly text: (output: S, input: I) => string
  readonly links?: (output: S, input: I) => readonly Link[]
}

interface Typed<I extends z.ZodObject, O extends z.ZodType> extends Operation {
  readonly input: I
  readonly output: O
}

export function exposeTool<I extends z.ZodObject, O extends z.ZodType, S extends object = z.output<O> & object>(
  name: string,
  operation: Typed<I, O>,
  { title, description, hints, accepts, show, text, links }: ExposedTool<z.output<I>, z.output<O>, S>,
): Tool {
  const { summary, scope, input, output, run, destroys } = operation
  return {
    name,
    title,
    description: description ?? `${summary}.`,
    scope,
    hints: { ...(scope === 'read' && { reads: true }), ...(destroys && { destroys: true }), ...hints },
    input,
    accepts: accepts ?? input,
    output: show?.output ?? z.object(output instanceof z.ZodObject ? output.shape : {}),
    run: async (given: z.output<I>, context) => {
      const answer = (await within((asked) => run(context, asked as never), given)) as z.output<O>
      const data = show ? show.from(answer) : (answer as S)
      return {
        data: data as Record<string, unknown>,
        text: text(data, given),
        ...(links && { links: links(data, given) }),
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
