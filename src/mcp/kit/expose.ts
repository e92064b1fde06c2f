/** An operation as a tool: its name, what a model reads of it, and its answer in the bounds of a context window. */
import { z } from 'zod'
import type { Operation } from '../../operations/operation.js'
import { perform } from '../../operations/perform.js'
import { fitItems } from './room.js'
import type { Hints, McpTool, ToolLink } from './tool.js'

interface ExposedTool<I, O, S> {
  readonly title: string
  /** What a model reads; the summary when left out. */
  readonly description?: string
  readonly hints?: Hints
  /** What a model sends, where that is not the operation's own input, and how it becomes that. */
  readonly ask?: { readonly input: z.ZodObject; readonly to?: (given: Readonly<Record<string, unknown>>) => object }
  /** An item of a page in the bounds of an answer. */
  readonly brief?: (item: ItemOf<O>) => ItemOf<O>
  /** Of a page that is too large, the last items are kept. */
  readonly last?: true
  /** The part of the answer that is shown, with its schema. */
  readonly show?: { readonly output: z.ZodObject; readonly from: (output: O, input: I) => S }
  /** The answer for a model that reads no structured content. */
  readonly text: (output: S, input: I) => string
  readonly links?: (output: S, input: I) => readonly ToolLink[]
}

/** Without its name, by which it would be a reference. */
const shownShape = (output: z.ZodType): z.ZodObject => z.object(output instanceof z.ZodObject ? output.shape : {})

type ItemOf<O> = O extends { readonly items: readonly (infer E)[] } ? E : never

interface Typed<I extends z.ZodObject, O extends z.ZodType> extends Operation {
  readonly input: I
  readonly output: O
}

const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional()
  .describe('Makes a repeated call harmless')

export function exposeTool<I extends z.ZodObject, O extends z.ZodType, S extends object = z.output<O> & object>(
  name: string,
  operation: Typed<I, O>,
  { title, description, hints, ask, brief, last, show, text, links }: ExposedTool<z.output<I>, z.output<O>, S>,
): McpTool {
  const { summary, scope, output, destroys, keyed } = operation
  const input = ask?.input ?? operation.input
  return {
    name,
    title,
    description: description ?? `${summary}.`,
    operation,
    hints: { ...(scope === 'read' && { reads: true }), ...(destroys && { destroys: true }), ...hints },
    input: keyed ? input.extend({ key }) : input,
    output: shownShape(show?.output ?? output),
    run: async (given, context) => {
      const { key: named, ...rest } = given
      const asked = ask?.to ? ask.to(keyed ? rest : given) : keyed ? rest : given
      const caller = keyed ? { ...context, key: key.parse(named) } : context
      const answer = (await within(
        (more) => lastOf(perform(operation, caller, { ...asked, ...more })),
        brief as Brief,
        last,
      )) as z.output<O>
      const read = { ...given, ...asked } as z.output<I>
      const data = show ? show.from(answer, read) : (answer as S)
      return {
        data: data as Record<string, unknown>,
        text: text(data, read),
        ...(links && { links: links(data, read) }),
      }
    },
  }
}

/** Of what is told piece by piece, the last piece is the answer. */
async function lastOf(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer
  let last: unknown
  for await (const piece of answer as AsyncIterable<unknown>) last = piece
  return last
}

type Brief = ((item: unknown) => unknown) | undefined

interface ListPage {
  readonly items: readonly unknown[]
  readonly next_cursor: string | null
}

/** A page too large for an answer is asked for again, as large as fits, so that its cursor leads to what was left out. */
async function within(
  run: (more: { readonly limit?: number }) => unknown,
  brief: Brief = (item) => item,
  last = false,
): Promise<unknown> {
  const briefed = async (more: { readonly limit?: number }): Promise<unknown> => {
    const output = await run(more)
    return isPage(output) ? { ...output, items: output.items.map(brief) } : (output ?? {})
  }
  const output = await briefed({})
  if (!isPage(output)) return output
  const { items, left } = fitItems(last ? output.items.toReversed() : output.items)
  return left === 0 ? output : briefed({ limit: items.length })
}

const isPage = (output: unknown): output is ListPage =>
  typeof output === 'object' && output !== null && 'items' in output && 'next_cursor' in output
