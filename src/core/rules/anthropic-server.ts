/** Tools that the provider runs itself: call and result stand in one message. */
import type { AnthropicReport } from './anthropic.js'
import type { Fields, Json } from './json.js'
import { isFilled, isMatch } from './shape.js'
import { quote } from './table/rule.js'

export interface ServerTools {
  /** True when the block was a server tool's. */
  take(block: Fields, type: string, path: string): boolean
  /** The message ends; the last one may have a call that is still running. */
  close(last: boolean): void
}

const serverId = /^srvtoolu_[a-zA-Z0-9_]+$/

export function serverTools(report: AnthropicReport): ServerTools {
  const open = new Map<Json | undefined, string>()
  return {
    take(block, type, path) {
      if (type === 'server_tool_use' || type === 'mcp_tool_use') {
        open.set(block.id, path)
        if (type === 'server_tool_use' && !isMatch(block.id, serverId))
          report('server.id', `${path}.id`, `the id must match ${serverId.source}`)
        return true
      }
      if (type === 'tool_result' || !type.endsWith('_tool_result')) return false
      const id = isFilled(block.tool_use_id) ? block.tool_use_id : ''
      if (!open.delete(block.tool_use_id)) report('server.orphan', path, `no call ${quote(id)} stands before it`)
      return true
    },
    close(last) {
      if (last) return
      for (const path of open.values()) report('server.open', path, 'the call has no result in its message')
    },
  }
}
