/** Everything the product does, once. HTTP, MCP, the CLI and the reference are made from this list. */
import * as agents from './agents.js'
import * as branches from './branches.js'
import * as choices from './choices.js'
import * as compact from './compact.js'
import * as connections from './connections.js'
import * as conversations from './conversations.js'
import * as derive from './derive.js'
import * as exports from './export.js'
import * as memories from './memories.js'
import * as messages from './messages.js'
import type { Operation } from './operation.js'
import * as receipts from './receipts.js'
import * as runs from './runs.js'
import * as search from './search.js'
import * as shares from './shares.js'
import * as tasks from './tasks.js'
import * as toolServers from './tool-servers.js'
import * as transfer from './transfer.js'
import * as tree from './tree.js'
import * as usage from './usage.js'
import * as versions from './versions.js'
import * as windows from './windows.js'

const files: readonly Readonly<Record<string, unknown>>[] = [
  ...[conversations, compact, exports, tree, messages, versions, search, branches, runs, windows, receipts, choices],
  ...[connections, toolServers, memories, derive, shares, usage, tasks, agents, transfer],
]

export const operations: readonly Operation[] = files
  .flatMap((file) => Object.values(file).filter(isOperation))
  .sort((one, other) => (one.name < other.name ? -1 : 1))

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'run' in value && 'refusals' in value && 'input' in value
}
