/** Tool schemas as OpenAI writes them for its models: a line for each function and each of its fields, as its cookbook counts them. */
import type { Counter } from './counter.js'

const cost = { function: 7, fields: 3, field: 3, choices: -3, choice: 3, end: 12 }

type Json = { readonly [key: string]: unknown }

const objectOf = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
const words = (value: unknown): string => (typeof value === 'string' ? value.replace(/\.$/, '') : '')

/** Null where a tool is none of its functions: then its JSON is counted. */
export function functionTokens(tool: unknown, counter: Counter): number | null {
  const outer = objectOf(tool)
  const made = objectOf(outer?.function) ?? outer
  if (!made || typeof made.name !== 'string') return null
  const parameters = objectOf(made.parameters) ?? objectOf(made.input_schema) ?? objectOf(made.inputSchema)
  const head = cost.function + counter.count(`${made.name}:${words(made.description)}`)
  return head + (parameters ? fieldTokens(parameters, counter) : 0) + cost.end
}

function fieldTokens(schema: Json, counter: Counter): number {
  const fields = Object.entries(objectOf(schema.properties) ?? {})
  let tokens = fields.length > 0 ? cost.fields : 0
  for (const [name, value] of fields) {
    const field = objectOf(value) ?? {}
    tokens += cost.field + counter.count(`${name}:${typeOf(field)}:${words(field.description)}`)
    if (Array.isArray(field.enum))
      tokens += cost.choices + field.enum.reduce((sum, one) => sum + cost.choice + counter.count(String(one)), 0)
    tokens += fieldTokens(field, counter)
    const items = objectOf(field.items)
    if (items) tokens += counter.count(typeOf(items)) + fieldTokens(items, counter)
  }
  for (const which of ['anyOf', 'oneOf', 'allOf', '$defs'] as const) {
    const parts = schema[which]
    for (const part of Array.isArray(parts) ? parts : Object.values(objectOf(parts) ?? {}))
      tokens += fieldTokens(objectOf(part) ?? {}, counter)
  }
  return tokens
}

const typeOf = ({ type }: Json): string => (Array.isArray(type) ? type.join('|') : String(type ?? 'any'))
