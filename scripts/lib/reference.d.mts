import type { Route } from '../../src/http/kit/route.js'
import type { McpTool } from '../../src/mcp/kit/tool.js'
import type { fieldWords } from '../../src/operations/fields.js'
import type { Operation } from '../../src/operations/operation.js'

interface Listed {
  readonly operations: readonly Operation[]
  readonly refusals: Readonly<Record<string, readonly [status: number, title: string, next: string]>>
  readonly routes: readonly Route[]
  readonly mcpTools: readonly McpTool[]
  readonly fieldWords: typeof fieldWords
  readonly notCalled: Readonly<Record<string, string>>
}

export function referencePage(write: boolean): Promise<boolean>
export function referenceOf(listed: Listed): string
