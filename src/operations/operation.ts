/**
 * An operation is one thing the product does, as data: a name, who may do it, what goes in, what comes out, the refusals
 * it can end in, and the code. HTTP, MCP, the CLI, OpenAPI, the typed client and the reference are made from the list.
 */
import type { z } from 'zod'
import type { OperationContext, OperationScope } from './context.js'
import type { RefusalCode } from './refusals.js'

/** What an id names; each kind has a maker in the tenancy matrix. */
export type OwnedKind =
  | 'conversation'
  | 'message'
  | 'answer'
  | 'branch'
  | 'receipt'
  | 'run'
  | 'share'
  | 'memory'
  | 'task'
  | 'agent'

export interface OperationFacts {
  /** Noun and verb: `memories.add`. */
  readonly name: string
  readonly summary: string
  readonly detail: string | null
  readonly scope: OperationScope
  /** A value is answered once; a stream is answered piece by piece, each of the output's shape. */
  readonly kind: 'value' | 'stream'
  readonly input: z.ZodObject
  /** What is checked before it runs: less than `input` where the room below judges in words of its own. */
  readonly accepts: z.ZodObject
  readonly output: z.ZodType
  readonly refusals: readonly RefusalCode[]
  /** The fields of the input that name something a workspace owns. */
  readonly owned: Readonly<Record<string, OwnedKind>>
  /** The same idempotency key again gives the same answer and changes nothing more. */
  readonly keyed: boolean
  /** It takes something away for good. */
  readonly destroys: boolean
  /** An input that works once the owned ids are filled in: shown in the docs, used by the tests. */
  readonly example: Readonly<Record<string, unknown>>
}

export interface Operation extends OperationFacts {
  readonly run: (context: OperationContext, input: never) => unknown
}

interface Defined<I extends z.ZodObject, O extends z.ZodType>
  extends Partial<Omit<OperationFacts, 'kind' | 'input' | 'output' | 'owned'>> {
  readonly name: string
  readonly summary: string
  readonly scope: OperationScope
  readonly input: I
  readonly output: O
  readonly owned?: Partial<Readonly<Record<keyof I['shape'] & string, OwnedKind>>>
}

/** What is told is not changed by whoever gets it. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

export interface ValueOperation<I extends z.ZodObject, O extends z.ZodType> extends OperationFacts {
  readonly input: I
  readonly output: O
  readonly run: (context: OperationContext, input: z.output<I>) => Promise<DeepReadonly<z.input<O>>>
}

export interface StreamOperation<I extends z.ZodObject, O extends z.ZodType> extends OperationFacts {
  readonly input: I
  readonly output: O
  readonly run: (context: OperationContext, input: z.output<I>) => AsyncIterable<DeepReadonly<z.input<O>>>
}

const usual = { detail: null, refusals: [], owned: {}, keyed: false, destroys: false, example: {} } as const

export const operation = <I extends z.ZodObject, O extends z.ZodType>(
  defined: Defined<I, O> & Pick<ValueOperation<I, O>, 'run'>,
): ValueOperation<I, O> => ({
  ...usual,
  kind: 'value',
  accepts: defined.input,
  ...defined,
  owned: ownedIn(defined.owned),
})

export const streamOperation = <I extends z.ZodObject, O extends z.ZodType>(
  defined: Defined<I, O> & Pick<StreamOperation<I, O>, 'run'>,
): StreamOperation<I, O> => ({
  ...usual,
  kind: 'stream',
  accepts: defined.input,
  ...defined,
  owned: ownedIn(defined.owned),
})

const ownedIn = (owned: Readonly<Record<string, OwnedKind | undefined>> = {}): Record<string, OwnedKind> =>
  Object.fromEntries(Object.entries(owned).flatMap(([name, kind]) => (kind ? [[name, kind]] : [])))
