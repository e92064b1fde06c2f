/** Who may speak for the operator: one answer for every door a message can come in by. */
import { mayDo, type OperationContext } from './context.js'
import { needsScope } from './refusals.js'

const offices: ReadonlySet<string> = new Set(['system', 'developer', 'orchestrator'])

/** Refused unless the caller is the operator: no spelling of an office gets past it. */
export function checkAuthors(messages: readonly unknown[], context: Pick<OperationContext, 'scope'>): void {
  if (!mayDo(context, 'admin') && messages.some(isOfficial)) throw needsScope('admin')
}

function isOfficial(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false
  const { role, name, author } = message as Readonly<Record<string, unknown>>
  return [role, name, author].some((one) => typeof one === 'string' && offices.has(normal(one)))
}

/** As people read it: case, spaces and invisible characters do not make another word. */
const normal = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}\s]/gu, '')
    .toLowerCase()
