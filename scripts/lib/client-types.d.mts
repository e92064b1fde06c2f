import type { Route } from '../../src/http/kit/route.js'
import type { OperationFacts } from '../../src/operations/operation.js'

interface Listed {
  readonly operations: readonly Pick<OperationFacts, 'name' | 'summary' | 'input' | 'output'>[]
  readonly routes: readonly Route[]
}

export const wireFile: string
export function wireTypes(): Promise<string>
/** Not yet formatted. */
export function wireOf(listed: Listed): string
/** As it is to stand in the file. */
export function formatted(text: string): Promise<string>
