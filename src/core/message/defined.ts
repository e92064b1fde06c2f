/** Without the fields that say nothing, so that what they leave out keeps its usual value. */
export function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const out: { [K in keyof T]?: T[K] } = {}
  for (const key in fields) if (fields[key] !== undefined) out[key] = fields[key]
  return out as T
}
