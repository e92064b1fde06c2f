/** An operation as a route: which method and path it has, and how its answer is told. It decides nothing. */
import type { z } from 'zod'
import type { OperationContext } from '../../operations/context.js'
import type { Operation } from '../../operations/operation.js'
import type { Context } from './context.js'
import {
  type AnswerShape,
  checkIfMatch,
  fresh,
  json,
  type Method,
  namesIn,
  type Route,
  type RouteFacts,
  route,
  streamed,
} from './route.js'

interface Exposed extends Partial<Pick<RouteFacts, 'bodyBytes' | 'problems' | 'tagged' | 'tag' | 'streams'>> {
  /** 200 when left out; 204 answers with no body. */
  readonly status?: number
  /** The status of an answer that was there already, or that has to wait, and what it means. */
  readonly otherwise?: { readonly status: number; readonly says: string; readonly if: (output: never) => boolean }
  /** Where what was made can be found. */
  readonly location?: (output: never) => string
  /** The operation whose answer If-Match is about. */
  readonly guardedBy?: Operation
  /** For a stream: the name of the file, and its type. */
  readonly file?: (given: never) => readonly [name: string, type: string]
  /** For what is not JSON: how the operation is answered, and with what. */
  readonly reply?: (context: Context, work: OperationContext, given: never) => Promise<Response>
  readonly answers?: AnswerShape
}

/** The names in the path are fields of the input; the others are the query of a read, or the body. */
export function expose(method: Method, path: string, operation: Operation, exposed: Exposed = {}): Route {
  const { status = 200, otherwise, location, guardedBy, file, reply, answers, ...rest } = exposed
  const inPath = namesIn(path)
  const fields = Object.keys(operation.input.shape)
  const others = fields.filter((name) => !inPath.includes(name))
  const reads = method === 'get' || method === 'delete'
  const schema = others.length === 0 ? null : omit(operation.input, inPath)
  const answer = async (context: Context): Promise<Response> => {
    const work = contextOf(context)
    const given = { ...context.params, ...(reads ? context.query : (context.body as object | undefined)) }
    if (guardedBy) checkIfMatch(context, await guardedBy.run(work, pick(given, guardedBy) as never))
    if (reply) return reply(context, work, given as never)
    if (operation.kind === 'stream') return pieces(operation.run(work, given as never), file?.(given as never))
    const output = await operation.run(work, given as never)
    if (status === 204) return new Response(null, { status })
    if (exposed.tagged && status === 200) return fresh(context, output)
    const told = otherwise?.if(output as never) ? otherwise.status : status
    return json(output, told, location ? { location: location(output as never) } : {})
  }
  return {
    ...route({
      name: routeName(operation),
      method,
      path,
      tag: operation.name.split('.')[0] as string,
      summary: operation.summary,
      ...(operation.detail !== null && { detail: operation.detail }),
      scope: operation.scope,
      answers: {
        [status]: answers ?? answerOf(operation, status),
        ...(otherwise && { [otherwise.status]: operation.output.describe(otherwise.says) }),
      },
      handle: answer,
      ...rest,
    }),
    operation,
    query: reads ? schema : null,
    body: reads ? null : schema,
    accepts: operation.accepts === operation.input ? null : omit(operation.accepts, inPath),
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
    example: exampleOf(operation, inPath, reads),
  }
}

function exampleOf({ example }: Operation, inPath: readonly string[], reads: boolean): RouteFacts['example'] {
  const fields = Object.entries(example)
  const params = Object.fromEntries(fields.filter(([name]) => inPath.includes(name))) as Record<string, string>
  const others = Object.fromEntries(fields.filter(([name]) => !inPath.includes(name)))
  return { params, ...(reads ? { query: others as Record<string, string> } : { body: others }) }
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
  scope: caller.operator ? 'operator' : caller.scope === 'none' ? 'read' : caller.scope,
  author: 'person',
  key,
  trace: id,
  signal: request.signal,
})

/** `memories.add` is `addMemory` to a client: the verb first, and one of the noun unless it is a list. */
function routeName({ name, owned }: Pick<Operation, 'name' | 'owned'>): string {
  const [noun = '', plain = ''] = name.split('.')
  const verb = plain.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const many = aboutMany.has(verb) || (verb === 'export' && Object.keys(owned).length === 0)
  const one = many
    ? noun
    : noun
        .replace(/ies$/, 'y')
        .replace(/(ch|sh)es$/, '$1')
        .replace(/([^s])s$/, '$1')
  return `${verb}${one.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

const aboutMany: ReadonlySet<string> = new Set(['list', 'search', 'find', 'append', 'diff', 'derive'])

const omit = (schema: z.ZodObject, names: readonly string[]): z.ZodObject =>
  schema.omit(Object.fromEntries(names.filter((name) => name in schema.shape).map((name) => [name, true])) as never)

const pick = (given: Readonly<Record<string, unknown>>, { input }: Operation): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in input.shape))

function answerOf(operation: Operation, status: number): AnswerShape {
  if (status === 204) return null
  if (operation.kind === 'value') return operation.output
  return { type: 'application/x-ndjson', says: 'One JSON document per line' }
}

/** A stream as it is made, as a file; what is refused is refused before it begins. */
export async function pieces(parts: unknown, [name, type]: readonly [string, string] = usualFile): Promise<Response> {
  const written = asText(parts as AsyncIterable<unknown>)
  // what is refused is refused before the answer begins
  const first = await written.next()
  return streamed(withFirst(first, written), {
    'content-type': type,
    'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`,
  })
}

const usualFile = ['export.jsonl', 'application/x-ndjson'] as const

async function* withFirst(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value
  yield* rest
}

/** Text as it is, anything else as a line of JSON. */
async function* asText(parts: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const part of parts) yield typeof part === 'string' ? part : `${JSON.stringify(part)}\n`
}
