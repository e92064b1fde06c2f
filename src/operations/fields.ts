/** The fields of an input in words, for whoever has to name them: help at the terminal and the reference. */
import { z } from 'zod'

interface FieldWords {
  readonly name: string
  readonly needed: boolean
  /** As it is said: `string`, `a | b`, `list of string`. */
  readonly type: string
  readonly says: string
  /** The default, as JSON; null without one. */
  readonly usual: string | null
}

type Schema = Readonly<Record<string, unknown>>

export function fieldWords(input: z.ZodObject): FieldWords[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, field]) => {
    const { default: usual, description = '' } = field as Schema
    return {
      name,
      needed: required.includes(name),
      type: typeWords(field as Schema),
      says: String(description),
      usual: usual === undefined ? null : JSON.stringify(usual),
    }
  })
}

function typeWords({ $ref, const: only, enum: names, anyOf, oneOf, type, items }: Schema): string {
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  if (only !== undefined) return String(only)
  if (Array.isArray(names)) return names.join(' | ')
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return [...new Set(choices.map((one: Schema) => typeWords(one)))].join(' | ')
  if (type === 'array') return `list of ${typeWords((items ?? {}) as Schema)}`
  return [type ?? 'any'].flat().join(' | ')
}
