/** Values that a JSON schema allows, and values that it all but allows. */
import fc from 'fast-check'

export type Schema = Readonly<Record<string, unknown>>

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json'?: { readonly schema: Schema; readonly example?: unknown } }
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

const letters = fc.constantFrom(...'abcz 019-_.é中😀{}<>&"\\')
const words = (min: number, max: number) =>
  fc.string({ unit: letters, minLength: min, maxLength: Math.max(min, Math.min(max, 24)) })

/** What may stand where the schema says nothing: small, and without what no body may have. */
export const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), words(0, 12)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'role', 'content', 'type', 'text'), tie('value'), { maxKeys: 3 }),
  ),
})).value

export function allowed(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return allowed(resolve(schema.$ref, document), document)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return fc.oneof(...choices.map((one: Schema) => allowed(one, document)))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => allowed({ ...schema, type }, document)))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer(boundsOf(schema))
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true })
    case 'string':
      return textOf(schema)
    case 'array':
      return fc.array(allowed((schema.items ?? {}) as Schema, document), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 4), Math.max(4, Number(schema.minItems ?? 0))),
      })
    case 'object':
      return objectOf(schema, document)
  }
  return anything
}

const boundsOf = ({ minimum = -1_000, maximum = 1_000 }: { minimum?: unknown; maximum?: unknown }) => ({
  min: Number(minimum),
  max: Math.min(Number(maximum), 100_000),
})

function textOf({ format, minLength = 0, maxLength = 24 }: Schema): fc.Arbitrary<string> {
  if (format !== 'date-time') return words(Number(minLength), Number(maxLength))
  return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString())
}

function objectOf(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  const {
    properties,
    additionalProperties,
    required = [],
  } = schema as { properties?: Record<string, Schema>; additionalProperties?: unknown; required?: string[] }
  if (!properties)
    return fc.dictionary(fc.constantFrom('a', 'b', 'c'), additionalProperties ? anything : fc.constant(1), {
      maxKeys: 2,
    })
  const fields = Object.entries(properties).map(([name, inner]) => [name, allowed(inner, document)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

export function resolve(ref: string, document: Document): Schema {
  const name = ref.replace('#/components/schemas/', '')
  return document.components.schemas[name] as Schema
}

/** One thing of a value is made wrong: a field too many, too few, or of another kind. */
export const spoil = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value))
    return fc.constantFrom<unknown>(
      [...value, { odd: 1 }],
      { list: value },
      null,
      'list',
      value.concat(value).slice(0, 5),
    )
  if (typeof value !== 'object' || value === null)
    return fc.constantFrom<unknown>(null, {}, [], '', 'x'.repeat(600), -1, 1e21, true)
  const entries = Object.entries(value)
  const odd = fc.constant({ ...value, odd: 1 })
  if (entries.length === 0) return odd
  const one = fc.nat(entries.length - 1)
  return fc.oneof(
    odd,
    one.map((i) => Object.fromEntries(entries.filter((_, j) => j !== i))),
    fc
      .tuple(one, anything)
      .map(([i, other]) => Object.fromEntries(entries.map(([name, inner], j) => [name, i === j ? other : inner]))),
    one.chain((i) => spoil(entries[i]?.[1]).map((inner) => ({ ...value, [entries[i]?.[0] as string]: inner }))),
  )
}
