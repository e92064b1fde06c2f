/** An operation as a route: which method and path it has, and how its answer is told. It decides nothing. */
import type { z } from 'zod'
import type { OperationContext } from '../operations/context.js'
import type { Operation } from '../operations/operation.js'
import type { Context } from './context.js'
import { fresh, guard, json, streamed } from './reply.js'
import { type Answer, type Method, namesIn, type Route, type RouteFacts, route } from './route.js'

interface Exposed extends Partial<Pick<RouteFacts, 'bodyBytes' | 'problems' | 'tagged'>> {
  /** 200 when left out; 204 answers with no body. */
  readonly status?: number
  /** Where what was made can be found. */
  readonly location?: (output: never) => string
  /** The operation whose answer If-Match is about. */
  readonly guardedBy?: Operation
  /** For a stream: the name of the file. */
  readonly file?: string
}

/** The names in the path are fields of the input; the others are the query of a read, or the body. */
export function expose(method: Method, path: string, operation: Operation, exposed: Exposed = {}): Route {
  const { status = 200, location, guardedBy, file, ...rest } = exposed
  const inPath = namesIn(path)
  const fields = Object.keys(operation.input.shape)
  const others = fields.filter((name) => !inPath.includes(name))
  const reads = method === 'get' || method === 'delete'
  const schema = others.length === 0 ? null : omit(operation.input, inPath)
  const answer = async (context: Context): Promise<Response> => {
    const work = contextOf(context)
    const given = { ...context.params, ...(reads ? context.query : (context.body as object | undefined)) }
    if (guardedBy) guard(context, await guardedBy.run(work, pick(given, guardedBy) as never))
    if (operation.kind === 'stream') return lines(operation.run(work, given as never), file)
    const output = await operation.run(work, given as never)
    if (status === 204) return new Response(null, { status })
    if (exposed.tagged && status === 200) return fresh(context, output)
    return json(output, status, location ? { location: location(output as never) } : {})
  }
  return {
    ...route({
      name: routeName(operation.name),
      method,
      path,
      tag: operation.name.split('.')[0] as string,
      summary: operation.summary,
      ...(operation.detail !== null && { detail: operation.detail }),
      scope: operation.scope,
      answers: { [status]: answerOf(operation, status) },
      handle: answer,
      ...rest,
    }),
    query: reads ? schema : null,
    body: reads ? null : schema,
    owned: Object.fromEntries(
      Object.entries(operation.owned).map(([name, kind]) => [
        inPath.includes(name) ? name : `${reads ? 'query' : 'body'}.${name}`,
        kind,
      ]),
    ),
    problems: [
      ...operation.refusals,
      ...(rest.problems ?? []),
      ...(guardedBy ? (['precondition_failed'] as const) : []),
    ],
    keyed: operation.keyed,
    example: reads ? { query: operation.example as Record<string, string> } : { body: operation.example },
  }
}

/** What an operation gets to know of a request. */
export const contextOf = ({
  frame,
  workspace,
  caller,
  key,
  id,
  request,
}: Context<unknown, unknown>): OperationContext => ({
  ...frame,
  historyLimits: frame.limits.history,
  workspace,
  scope: caller.scope === 'none' ? 'read' : caller.scope,
  author: 'person',
  key,
  trace: id,
  signal: request.signal,
})

/** `memories.add` is `addMemory` to a client: the verb first, and one of the noun unless it is a list. */
export function routeName(name: string): string {
  const [noun = '', verb = ''] = name.split('.')
  const many = verb === 'list' || verb === 'export' || verb === 'search'
  const one = many
    ? noun
    : noun
        .replace(/ies$/, 'y')
        .replace(/(ch|sh)es$/, '$1')
        .replace(/s$/, '')
  return `${verb}${one.charAt(0).toUpperCase()}${one.slice(1)}`
}

const omit = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  schema.omit(Object.fromEntries(names.filter((name) => name in schema.shape).map((name) => [name, true])) as never)

const pick = (given: Readonly<Record<string, unknown>>, { input }: Operation): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in input.shape))

function answerOf(operation: Operation, status: number): Answer {
  if (status === 204) return null
  if (operation.kind === 'value') return operation.output
  return { type: 'application/x-ndjson', says: 'One JSON document per line' }
}

function lines(parts: unknown, file = 'export.jsonl'): Response {
  return streamed(written(parts as AsyncIterable<unknown>), {
    'content-type': 'application/x-ndjson',
    'content-disposition': `attachment; filename="${file}"`,
  })
}

async function* written(parts: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const part of parts) yield `${JSON.stringify(part)}\n`
}
