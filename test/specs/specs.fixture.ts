import { HistoryError } from '../../src/core/message/issue.js'
import { type Assembled, assemble, type Input, type Options } from '../../src/index.js'
import type { TaskValidationError } from '../../src/recipes/index.js'

/** The error that `act` raises. A test of a refusal fails here when nothing is refused. */
export function refusedBy(act: () => unknown): TaskValidationError {
  let value: unknown
  try {
    value = act()
  } catch (error) {
    if (HistoryError.is(error)) return error as TaskValidationError
    throw error
  }
  throw new Error(`nothing was refused: ${JSON.stringify(value)?.slice(0, 200)}`)
}

export type Built = Extract<Assembled, { readonly ok: true }>

/** A window that was built, or the reason why not as a failure. */
export function build(
  input: Input | readonly unknown[],
  policy?: Parameters<typeof assemble>[1],
  options: Options = {},
): Built {
  const result = assemble(input, policy, options)
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`)
  return result
}

/** The messages of a request for a chat target. */
export function sent(result: Built): readonly { readonly role: string; readonly content: string }[] {
  return (result.rendered as { readonly messages: readonly { readonly role: string; readonly content: string }[] })
    .messages
}

export const now = '2025-10-29T13:30:00.000Z'

/** 26 characters, as the specifications' clock writes it. */
export const stamp = '2025-10-29T13:30:00.123456'

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export interface Said {
  readonly role: string
  readonly content: string
  readonly timestamp: string
}

export const user = (content: string, timestamp = stamp): Said => ({ role: 'user', content, timestamp })
export const assistant = (content: string, timestamp = stamp): Said => ({ role: 'assistant', content, timestamp })
export const orchestrator = (content: string, timestamp = stamp): Said => ({ role: 'orchestrator', content, timestamp })

/** User and assistant in turn, the user first. */
export const alternating = (
  count: number,
  content: (index: number) => string = (index) => `message ${index}`,
): Said[] => times(count, (index) => (index % 2 === 0 ? user(content(index)) : assistant(content(index))))
