/** The name of a request across processes, as in W3C Trace Context. */

export interface Trace {
  /** 32 hex digits. */
  readonly id: string
  /** The caller's span; null when the trace begins here. */
  readonly parent: string | null
  readonly sampled: boolean
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** What the caller sent, if it is well-formed; a new one otherwise. */
export function traceOf(header: string | null, random: () => string = freshId): Trace {
  const [, id = '', parent = '', flags = ''] = form.exec(header?.trim() ?? '') ?? []
  if (/[^0]/.test(id) && /[^0]/.test(parent)) return { id, parent, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
  return { id: random(), parent: null, sampled: true }
}

const freshId = (): string => crypto.randomUUID().replaceAll('-', '')
