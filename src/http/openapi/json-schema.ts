/** Schemas as JSON Schema; those with a name are collected. */
import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

/** By name, as they are found. */
export type Schemas = Record<string, Json>

/** Schemas that have an id move into the components. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): Json {
  const {
    $schema: _,
    $defs,
    ...made
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  for (const [id, inner] of Object.entries(($defs ?? {}) as Schemas)) keep(schemas, id, moved(inner) as Json)
  const { id, ...rest } = moved(made) as Record<string, unknown>
  if (typeof id !== 'string') return rest
  keep(schemas, id, rest)
  return { $ref: `#/components/schemas/${id}` }
}

/** One name, one schema: two that share a name would make the document lie about one of them. */
function keep(schemas: Schemas, name: string, schema: Json): void {
  const { id: _, ...bare } = schema
  const known = schemas[name]
  if (known && JSON.stringify(known) !== JSON.stringify(bare)) throw new Error(`two schemas are named ${name}`)
  schemas[name] = bare
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', '#/components/schemas/') : moved(inner),
    ]),
  )
}
