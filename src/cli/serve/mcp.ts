/** `/mcp` of the service. The protocol is only loaded when someone speaks it. */
import { policiesOf } from '../../config/geometry.js'
import type { McpDoor } from '../../http/mcp.js'
import { openTasks } from '../../tasks/tasks.js'
import { agentsOf } from '../agents.js'
import { packageVersion } from '../version.js'
import type { Parts } from './build.js'

export function mcpOf(parts: Parts): McpDoor {
  let door: Promise<McpDoor> | undefined
  return {
    async fetch(request, body, caller) {
      door ??= open(parts)
      return (await door).fetch(request, body, caller)
    },
    async close() {
      await (await door)?.close()
    },
  }
}

async function open({ settled, store, models, finder, access, telemetry, url }: Parts): Promise<McpDoor> {
  const { mcpDoor } = await import('../../mcp/http.js')
  const { config } = settled
  const isOpen = access.auth.mode === 'open'
  const { runner, ...agents } = agentsOf(config, isOpen ? 'owner' : 'key', isOpen ? url() : null)
  return mcpDoor({
    store,
    tasks: (workspace) => openTasks({ store, workspace, models, ...agents }),
    finder,
    policy: policiesOf(config).usual,
    runner,
    version: packageVersion(),
    log: telemetry.log,
  })
}
