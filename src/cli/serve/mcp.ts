/** `/mcp` of the service. The protocol is only loaded when someone speaks it. */
import { policiesOf } from '../../config/geometry.js'
import type { McpHandler } from '../../http/kit/context.js'
import { packageVersion } from '../kit/version.js'
import type { Parts } from './build.js'
import type { AllTasks } from './tasks.js'

export function mcpOf(parts: Parts, tasks: AllTasks, runner: string): McpHandler {
  let door: Promise<McpHandler> | undefined
  return {
    async fetch(request, body, caller) {
      door ??= open(parts, tasks, runner)
      return (await door).fetch(request, body, caller)
    },
    async close() {
      await (await door)?.close()
      await tasks.close()
    },
  }
}

async function open(parts: Parts, tasks: AllTasks, runner: string): Promise<McpHandler> {
  const { settled, store, models, finder, telemetry } = parts
  const { mcpDoor } = await import('../../mcp/http.js')
  const { config } = settled
  const { usual, presets } = policiesOf(config)
  return mcpDoor({
    store,
    models,
    tasks: tasks.of,
    finder,
    policy: usual,
    presets,
    runner,
    version: packageVersion(),
    log: telemetry.log,
  })
}
