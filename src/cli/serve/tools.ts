/** What the settings say of the tools of an agent. */
import { z } from 'zod'
import type { Config } from '../../config/schema.js'
import { systemWorkspace } from '../../operations/context.js'
import { serverFields } from '../../operations/shapes/tool-server.js'
import { serverOf } from '../../operations/tool-servers.js'
import type { AgentLimits } from '../../runs/tools/calls.js'
import { openToolServers, type ToolServer, type ToolServers } from '../../runs/tools/servers.js'
import { misused } from '../kit/failure.js'
import { packageVersion } from '../kit/version.js'
import type { Parts } from './build.js'

/** Opens nothing yet: a server is started or reached when an agent first needs it. */
export function toolServersOf({ settled, store, telemetry }: Parts, isOpen: boolean): ToolServers {
  const { config } = settled
  return openToolServers({
    store,
    workspace: systemWorkspace,
    named: Object.fromEntries(Object.entries(config.tool_servers).map(([name, given]) => [name, read(name, given)])),
    version: packageVersion(),
    programs: isOpen || config.agent_commands,
    now: () => new Date().toISOString(),
    failed: () => telemetry.log({ level: 'warn', event: 'tool-server-failed' }),
  })
}

const server = z.strictObject(serverFields)

function read(name: string, given: unknown): ToolServer {
  const parsed = server.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw misused(`tool_servers.${[name, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`)
  }
  return serverOf(parsed.data)
}

export const agentLimits = ({ agent_steps, agent_tokens, agent_seconds }: Config): AgentLimits => ({
  steps: agent_steps,
  tokens: agent_tokens === 0 ? Number.POSITIVE_INFINITY : agent_tokens,
  milliseconds: agent_seconds * 1_000,
})
