import { blocks } from './ledger.js'
import { type Fields, rows, type Scope, string } from './scope.js'

/** A Claude model by its name: family and version, with 4.7 as 4.7. */
export interface Claude {
  readonly family: string
  readonly version: number
}

export function claude({ model }: Scope): Claude | undefined {
  const found = /claude-(?:([a-z]+)-)?(\d)(?:[-.](\d{1,2})(?!\d))?(?:-([a-z]+))?/.exec(model)
  return found ? { family: found[1] ?? found[4] ?? '', version: Number(`${found[2]}.${found[3] ?? 0}`) } : undefined
}

/** Whether the model's version is known and lies in a range. */
export function within(scope: Scope, from: number, to = 99): boolean {
  const version = claude(scope)?.version ?? 0
  return version >= from && version <= to
}

const isMythic = (family: string) => family === 'fable' || family === 'mythos'

/** Models that bind a signed block to everything in front of it. */
export function isBound(scope: Scope): boolean {
  const known = claude(scope)
  return known !== undefined && known.version >= (isMythic(known.family) ? 5.1 : 5.5)
}

const isFirm = (known: Claude) => (known.family === 'opus' || known.family === 'sonnet') && known.version >= 5.5

/** Models on which thinking cannot be switched off. */
export function alwaysThinks(scope: Scope): boolean {
  const known = claude(scope)
  return known !== undefined && (isMythic(known.family) || isFirm(known))
}

/** Models that refuse any forced tool choice. */
export function refusesForce(scope: Scope): boolean {
  const known = claude(scope)
  if (known === undefined) return false
  return isMythic(known.family) ? known.version >= (scope.host === 'bedrock' ? 5 : 5.1) : isFirm(known)
}

export interface Placed {
  readonly message: number
  readonly role: string
  readonly path: string
  readonly block: Fields
}

export const messagesOf = (scope: Scope): readonly Fields[] => rows(scope.body.messages)

/** Every block of every message, without what is inside tool results. */
export function placed(scope: Scope): readonly Placed[] {
  return messagesOf(scope).flatMap(({ role, content }, message) =>
    blocks(content).map((block, at) => ({
      message,
      role: string(role),
      path: `messages.${message}.content.${at}`,
      block,
    })),
  )
}

/** The same, with what is inside tool results in front of its result. */
export function nested(scope: Scope): readonly Placed[] {
  return placed(scope).flatMap((outer) => [
    ...(outer.block.type === 'tool_result'
      ? blocks(outer.block.content).map((block, at) => ({ ...outer, block, path: `${outer.path}.content.${at}` }))
      : []),
    outer,
  ])
}

/** Index of the last assistant message if only tool results follow it: the turn that is still open. */
export function openTurn(scope: Scope): number | undefined {
  const messages = messagesOf(scope)
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const after = messages.slice(last + 1).flatMap(({ content }) => blocks(content))
  if (last < 0 || !(after.length === 0 || after.some(({ type }) => type === 'tool_result'))) return undefined
  return last
}
