/** A few words to say what plain data must look like; a schema library would be a tenth of the root door. */

export interface ShapeFault {
  readonly field: string
  readonly reason: string
}

/** Tells every way in which a value is not a `T`. */
export type Shape<T> = ((value: unknown, field: string, faults: ShapeFault[]) => void) & {
  readonly of?: T
  /** A copy with its fields in the order of the schema. */
  readonly copy?: (value: T) => T
  /** What stands where the field is not given. */
  readonly usual?: T
}

export const whole = (least: number): Shape<number> =>
  numeric(Number.isSafeInteger, 'a whole number', least, Number.MAX_SAFE_INTEGER)

export const share = (most: number): Shape<number> => numeric(Number.isFinite, 'a number', 0, most)

function numeric(is: (value: unknown) => boolean, what: string, least: number, most: number): Shape<number> {
  return (value, field, faults) => {
    if (!is(value)) faults.push({ field, reason: `must be ${what}` })
    else if ((value as number) < least) faults.push({ field, reason: `must be ${least} or more` })
    else if ((value as number) > most) faults.push({ field, reason: `must be ${most} or less` })
  }
}

export const flag: Shape<boolean> = (value, field, faults) => {
  if (typeof value !== 'boolean') faults.push({ field, reason: 'must be true or false' })
}

export const words =
  (least = 0, most = Number.POSITIVE_INFINITY): Shape<string> =>
  (value, field, faults) => {
    if (typeof value !== 'string') faults.push({ field, reason: 'must be a text' })
    else if (value.length < least || value.length > most)
      faults.push({ field, reason: `must have ${least} to ${most} characters` })
  }

export const oneOf =
  <const T extends string>(...names: readonly T[]): Shape<T> =>
  (value, field, faults) => {
    if (!(names as readonly unknown[]).includes(value))
      faults.push({ field, reason: `must be one of ${names.join(', ')}` })
  }

export const orNull = <T>(shape: Shape<T>): Shape<T | null> =>
  Object.assign(
    (value: unknown, field: string, faults: ShapeFault[]) => {
      if (value !== null) shape(value, field, faults)
    },
    { copy: (value: T | null) => (value === null ? null : copyOf(shape, value)) },
  )

export const copyOf = <T>(shape: Shape<T>, value: T): T => (shape.copy ? shape.copy(value) : structuredClone(value))

/** One of two; when neither fits, the first one's faults are told. */
export const either =
  <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> =>
  (value, field, faults) => {
    const second: ShapeFault[] = []
    other(value, field, second)
    if (second.length > 0) one(value, field, faults)
  }

export const listShape =
  <T>(shape: Shape<T>, least: number): Shape<readonly T[]> =>
  (value, field, faults) => {
    if (!Array.isArray(value)) faults.push({ field, reason: 'must be a list' })
    else if (value.length < least) faults.push({ field, reason: `must have ${least} or more` })
    else for (const [i, inner] of value.entries()) shape(inner, `${field}[${i}]`, faults)
  }

/** A field that came later: a policy that was written before has the usual value. */
export const or = <T>(shape: Shape<T>, usual: T): Shape<T> =>
  Object.assign((value: unknown, field: string, faults: ShapeFault[]) => shape(value, field, faults), {
    ...(shape.copy && { copy: shape.copy }),
    usual,
  })

/** Exactly these fields. */
export function fields<T extends object>(shapes: { readonly [K in keyof T]: Shape<T[K]> }): Shape<T> {
  const names = Object.keys(shapes) as (keyof T & string)[]
  const judge = (value: unknown, field: string, faults: ShapeFault[]): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push({ field: field || 'policy', reason: 'must be an object' })
      return
    }
    const at = (name: string): string => (field === '' ? name : `${field}.${name}`)
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(shapes, name)) faults.push({ field: at(name), reason: 'is no field of a policy' })
    }
    for (const name of names) {
      if (!Object.hasOwn(value, name) && shapes[name].usual !== undefined) continue
      if (!Object.hasOwn(value, name)) faults.push({ field: at(name), reason: 'is missing' })
      else shapes[name]((value as T)[name], at(name), faults)
    }
  }
  const given = <K extends keyof T & string>(value: T, name: K): T[K] =>
    Object.hasOwn(value, name) ? value[name] : (shapes[name].usual as T[K])
  const copy = (value: T): T =>
    Object.fromEntries(names.map((name) => [name, copyOf(shapes[name], given(value, name))])) as T
  return Object.assign(judge, { copy })
}
