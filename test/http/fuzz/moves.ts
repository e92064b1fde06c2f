/** Requests made from the document: as it says, nearly as it says, or otherwise. */
import fc from 'fast-check'
import type { RouteFacts } from '../../../src/http/kit/route.js'
import { allowed, anything, type Document, type Operation, spoil } from './arbitrary.js'

export type Mode = 'valid' | 'near' | 'invalid'

export interface Move {
  /** Of the route. */
  readonly name: string
  readonly mode: Mode
  /** Which of the things that are known the ids name; past their number, none. */
  readonly pick: number
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly key: string | null
}

export function moves(document: Document, routes: readonly RouteFacts[]): fc.Arbitrary<Move> {
  const all = routes.map((route) => {
    const operation = document.paths[route.path]?.[route.method] as Operation
    return { weight: weightOf(route), arbitrary: moveOf(document, route, operation) }
  })
  return fc.oneof(...all)
}

/** There must be something to ask for, and it must not be gone at once. */
function weightOf({ name, method, path }: RouteFacts): number {
  if (name === 'appendMessages') return 40
  if (['createConversation', 'startRun', 'openaiCreateResponse', 'openaiChat', 'addMemory'].includes(name)) return 15
  if (name === 'deleteConversation' || name === 'openaiDeleteConversation') return 1
  return method === 'delete' || !path.includes('{') ? 3 : 8
}

function moveOf(document: Document, route: RouteFacts, operation: Operation): fc.Arbitrary<Move> {
  const mode = fc.constantFrom<Mode>('valid', 'valid', 'near', 'invalid')
  return mode.chain((mode) =>
    fc.record({
      name: fc.constant(route.name),
      mode: fc.constant(mode),
      pick: fc.nat(1_000),
      query: queryOf(document, operation, mode),
      body: bodyOf(document, operation, mode),
      key: route.keyed
        ? fc.option(fc.constantFrom('k1', 'k2', 'k3', 'x y', 'ü'.repeat(3)), { freq: 1 })
        : fc.constant(null),
    }),
  )
}

function queryOf(document: Document, { parameters }: Operation, mode: Mode): fc.Arbitrary<Record<string, unknown>> {
  // a cursor comes from an answer, and can only be guessed wrong
  const asked = parameters.filter((one) => one.in === 'query' && (mode !== 'valid' || one.name !== 'cursor'))
  const fields = asked.map(
    ({ name, schema }) => [name, mode === 'invalid' ? anything : allowed(schema, document)] as const,
  )
  const requiredKeys = asked.filter(({ required }) => required).map(({ name }) => name)
  const made = fc.record(Object.fromEntries(fields), { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>
  return mode === 'near' ? made.chain((query) => fc.constantFrom(query, { ...query, odd: '1' })) : made
}

function bodyOf(document: Document, { requestBody }: Operation, mode: Mode): fc.Arbitrary<unknown> {
  if (!requestBody) return fc.constant(undefined)
  const json = requestBody.content['application/json']
  // bytes are bytes: whatever is sent is kept
  if (!json) return anything
  const { schema, example } = json
  if (mode === 'invalid') return anything
  const made =
    example === undefined
      ? allowed(schema, document)
      : fc.oneof({ weight: 2, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: allowed(schema, document) })
  return mode === 'near' ? made.chain(spoil) : made
}
