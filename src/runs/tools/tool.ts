/** A tool in the caller's program: what it takes, by any schema library, and what it does. */
import { HistoryError } from '../../core/message/issue.js'
import type { OutputPart } from '../../core/message/item.js'
import type { ModelTool } from '../../models/wire/contract.js'

/** Standard Schema (zod, valibot, arktype and others), or a JSON Schema, which is shown to the model and not checked. */
export type Schema = StandardSchema | JsonSchema

export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Checked | Promise<Checked>
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}

export interface JsonSchema {
  readonly type?: string
  readonly properties?: object
  readonly [keyword: string]: unknown
}

type Checked =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** What a tool gets when its schema let it through. */
export type InputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : unknown
  : unknown

/** A function that a model may call. */
export interface Tool<S = Schema> {
  /** Tells the model when to call it. */
  readonly description?: string
  readonly parameters?: S
  /** What it returns is shown to the model: a text as it is, anything else as JSON. What it throws is shown as an error. */
  execute(input: InputOf<S>, call: ToolCall): unknown
  /** `always` runs it at once, `ask` asks `approve` first, `never` refuses it. `always` when left out. */
  readonly approval?: 'always' | 'ask' | 'never'
}

/** The call that a tool answers. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly signal: AbortSignal
}

/**
 * Ties the type of a tool's input to its schema, for a tool that is defined apart from its agent.
 *
 * @example
 * ```ts
 * const weather = tool({
 *   description: 'The weather in a city',
 *   parameters: z.object({ city: z.string() }),
 *   execute: ({ city }) => `Sunny in ${city}`,
 * })
 * ```
 */
export const tool = <const S extends Schema>(definition: Tool<S>): Tool<S> => definition

/** What the model is told about it. */
export function modelTool(
  name: string,
  { description, parameters }: Pick<Tool, 'description' | 'parameters'>,
): ModelTool {
  return { name, ...(description === undefined ? null : { description }), parameters: jsonSchemaOf(name, parameters) }
}

const nothing = { type: 'object', properties: {}, additionalProperties: false }

function jsonSchemaOf(name: string, schema: Schema | undefined): ModelTool['parameters'] {
  if (schema === undefined) return nothing
  if (!isStandard(schema)) return schema
  const own = schema['~standard'] as { readonly jsonSchema?: { readonly input?: (options: object) => object } }
  const made =
    own.jsonSchema?.input?.({ target: 'draft-2020-12' }) ?? (hasMethod(schema) ? schema.toJsonSchema() : undefined)
  if (made === undefined)
    throw new HistoryError('invalid', [
      {
        code: 'tool.schema',
        field: `tools.${name}.parameters`,
        message: `the schema of ${name} cannot say itself as JSON Schema, so no model can be told about it`,
        suggestion: 'use a version of the schema library with Standard JSON Schema, or give a JSON Schema',
      },
    ])
  const { $schema: _, ...rest } = made as Record<string, unknown>
  return rest
}

const isStandard = (schema: Schema): schema is StandardSchema => '~standard' in schema

const hasMethod = (schema: object): schema is { toJsonSchema(): object } =>
  'toJsonSchema' in schema && typeof schema.toJsonSchema === 'function'

/** What a tool gave back, as it is stored and shown. */
export interface ToolResult {
  readonly callId: string
  readonly state: 'ok' | 'error'
  readonly output: readonly OutputPart[]
}

const brand = Symbol.for('throughline.tool-output')

/** What a tool returns when a text does not say it all: images, files, or an error that is not thrown. */
export interface ToolOutput extends Omit<ToolResult, 'callId'> {
  readonly [brand]: true
}

/** What `execute` returns to show pictures or to fail without throwing. @example return toolOutput([{ type: 'text', text }], 'error') */
export const toolOutput = (output: readonly OutputPart[], state: ToolResult['state'] = 'ok'): ToolOutput => ({
  [brand]: true,
  state,
  output,
})

const isOutput = (made: unknown): made is ToolOutput => typeof made === 'object' && made !== null && brand in made

/** Never throws: whatever goes wrong is told to the model, which can do better. */
export async function runTool(known: Tool | undefined, call: ToolCall): Promise<ToolResult> {
  const ended = (state: ToolResult['state'], text: string): ToolResult => ({
    callId: call.id,
    state,
    output: [{ type: 'text', text: text === '' ? '(no output)' : text }],
  })
  if (!known) return ended('error', `there is no tool '${call.name}'`)
  try {
    const checked = await check(known.parameters, call.input)
    if (checked.issues) return ended('error', `the input is wrong: ${checked.issues.map(saidOf).join('; ')}`)
    const made = await known.execute(checked.value, call)
    if (isOutput(made) && made.output.length > 0) return { callId: call.id, state: made.state, output: made.output }
    if (isOutput(made)) return ended(made.state, '')
    return ended('ok', typeof made === 'string' ? made : (JSON.stringify(made) ?? ''))
  } catch (error) {
    return ended('error', error instanceof Error ? error.message : String(error))
  }
}

const check = async (schema: Schema | undefined, value: unknown): Promise<Checked> =>
  schema && isStandard(schema) ? schema['~standard'].validate(value) : { value }

const saidOf = ({
  message,
  path,
}: {
  readonly message: string
  readonly path?: readonly unknown[] | undefined
}): string => (path && path.length > 0 ? `${path.map(keyOf).join('.')}: ${message}` : message)

const keyOf = (step: unknown): string =>
  String(typeof step === 'object' && step !== null && 'key' in step ? step.key : step)
