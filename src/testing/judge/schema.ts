import { type Fields, type Finding, fields, isFields, list } from './scope.js'

/** Every schema inside a schema with its path, the root first. */
export function* schemas(schema: Fields, path: string): Iterable<readonly [path: string, schema: Fields]> {
  yield [path, schema]
  for (const [name, child] of Object.entries(fields(schema.properties))) {
    if (isFields(child)) yield* schemas(child, `${path}.properties.${name}`)
  }
  if (isFields(schema.items)) yield* schemas(schema.items, `${path}.items`)
  for (const [index, child] of list(schema.anyOf).entries()) {
    if (isFields(child)) yield* schemas(child, `${path}.anyOf[${index}]`)
  }
}

export const isArraySchema = (schema: Fields): boolean => String(schema.type).toLowerCase() === 'array'

/** The first thing that occurs twice. */
export function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) < index)
}

/** Keys of an object that are not on the list. */
export function* unknownKeys(
  object: Fields,
  known: ReadonlySet<string>,
  found: (key: string) => Finding,
): Iterable<Finding> {
  for (const key of Object.keys(object)) if (!known.has(key)) yield found(key)
}

export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
