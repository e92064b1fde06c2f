/** One setting: its shape, its default, and the words for what it is and what it must be. */
import { z } from 'zod'

export interface Field<T> {
  readonly schema: z.ZodType<T>
  readonly usual: T
  readonly says: string
  /** What is allowed, as in "must be …". */
  readonly must: string
  /** Environment variables besides `THROUGHLINE_<NAME>`, which goes before them. */
  readonly env: readonly string[]
  /** Whether it is never printed; or only its password is not. */
  readonly secret: 'no' | 'value' | 'password'
  /** Turns an environment variable or a flag into a value; what it cannot read stays text and is refused. */
  readonly read: (text: string) => unknown
}

interface More {
  readonly env?: readonly string[]
  readonly secret?: Field<unknown>['secret']
}

export const text = (usual: string, says: string, more: More & { readonly must?: string } = {}): Field<string> =>
  field(z.string().min(1), usual, says, more.must ?? 'a text that is not empty', (value) => value, more)

/** A text that may be left out. */
export const maybe = (says: string, more: More = {}): Field<string | null> =>
  field(z.string().min(1).nullable(), null, says, 'a text that is not empty', (value) => value, more)

export const url = (says: string, more: More = {}): Field<string | null> =>
  field(
    z.url({ protocol: /^https?$/ }).nullable(),
    null,
    says,
    'an address that begins with http:// or https://',
    (value) => value,
    more,
  )

export const whole = (usual: number, [least, most]: readonly [number, number], says: string): Field<number> =>
  field(z.int().min(least).max(most), usual, says, within(least, most), number)

/** A whole number, or off. */
export const days = (most: number, says: string): Field<number | null> =>
  field(z.int().min(1).max(most).nullable(), null, says, `${within(1, most)}, or "off"`, (value) =>
    value === 'off' ? null : number(value),
  )

export const flag = (usual: boolean, says: string): Field<boolean> =>
  field(z.boolean(), usual, says, 'true or false', (value) => ({ true: true, false: false })[value] ?? value)

export const oneOf = <const T extends string>(names: readonly T[], usual: NoInfer<T>, says: string): Field<T> =>
  field(z.enum(names) as unknown as z.ZodType<T>, usual, says, `one of ${names.join(', ')}`, (value) => value)

export const list = (says: string): Field<readonly string[]> =>
  field(z.array(z.string().min(1)), [], says, 'a list of texts', (value) =>
    value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
  )

/** An object; in the environment it is written as JSON. */
export const object = <T>(schema: z.ZodType<T>, usual: NoInfer<T>, says: string, must: string): Field<T> =>
  field(schema, usual, says, must, json)

function field<T>(
  schema: z.ZodType<T>,
  usual: T,
  says: string,
  must: string,
  read: Field<T>['read'],
  { env = [], secret = 'no' }: More = {},
): Field<T> {
  return { schema, usual, says, must, env, secret, read }
}

const within = (least: number, most: number): string => `a whole number from ${least} to ${most}`

const number = (value: string): unknown => (/^-?[\d_]+$/.test(value) ? Number(value.replaceAll('_', '')) : value)

function json(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
