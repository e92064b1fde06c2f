/** A written-down rule, and how a judge says that it is broken. */

export interface Rule {
  /** Stable name, as it appears in a violation. */
  readonly rule: string
  /** One sentence, with the provider's own limit or wording where it is known. */
  readonly says: string
}

export type NameOf<Rules extends readonly Rule[]> = Rules[number]['rule']

/** A judge can only name rules that are in its list. */
export type Report<Name extends string> = (rule: Name, path: string, message: string) => void

/** A value of the request inside a message: quoted, short, and always well formed. */
export const quote = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 79)}…` : value)
