/** Vectors as they are kept: a signed byte for each dimension. The direction is all that counts, so each has its own scale. */

export function bytesOf(vector: Float32Array): Int8Array {
  let most = 0
  for (const value of vector) most = Math.max(most, Math.abs(value))
  return most === 0 ? new Int8Array(vector.length) : Int8Array.from(vector, (value) => Math.round((127 * value) / most))
}

/** How long a vector is; 0 for one that says nothing, and is near to none. */
export const lengthOf = (bytes: Int8Array): number => Math.sqrt(product(bytes, bytes, 0))

/** The cosine of the angle between two, 0 where there is none. */
export function cosine(one: Int8Array, other: Int8Array): number {
  const lengths = one.length === other.length ? lengthOf(one) * lengthOf(other) : 0
  return lengths > 0 ? product(one, other, 0) / lengths : 0
}

/**
 * With the row that begins at a place of many, from one dimension to another. Four sums at a time: whole numbers, so that
 * their order does not matter.
 */
export function product(one: Int8Array, rows: Int8Array, start: number, from = 0, to = one.length): number {
  const even = to - ((to - from) & 3)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let at = from, row = start + from; at < even; at += 4, row += 4) {
    a = (a + (one[at] as number) * (rows[row] as number)) | 0
    b = (b + (one[at + 1] as number) * (rows[row + 1] as number)) | 0
    c = (c + (one[at + 2] as number) * (rows[row + 2] as number)) | 0
    d = (d + (one[at + 3] as number) * (rows[row + 3] as number)) | 0
  }
  for (let at = even; at < to; at++) a = (a + (one[at] as number) * (rows[start + at] as number)) | 0
  return a + b + c + d
}
