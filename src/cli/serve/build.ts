/** From settings to a service. */

import { z } from 'zod'
import { policiesOf } from '../../config/geometry.js'
import type { Loaded } from '../../config/load.js'
import type { Config } from '../../config/schema.js'
import type { ForwardOptions } from '../../http/forward/forward.js'
import type { McpHandler } from '../../http/kit/context.js'
import { openService, type Service } from '../../http/service.js'
import { type Telemetry, toldOfRuns, toldOfSummaries, toldOfWindows } from '../../http/telemetry/telemetry.js'
import type { Connections } from '../../models/connect/connections.js'
import type { Models } from '../../models/wire/contract.js'
import { systemWorkspace } from '../../operations/context.js'
import { serverFields } from '../../operations/shapes/tool-server.js'
import { serverOf } from '../../operations/tool-servers.js'
import type { Finder } from '../../recall/finder.js'
import type { Runs } from '../../runs/contract.js'
import { openRuns } from '../../runs/runs.js'
import type { AgentLimits } from '../../runs/tools/calls.js'
import { openToolServers, type ToolServer, type ToolServers } from '../../runs/tools/servers.js'
import type { Store } from '../../store/contract/store.js'
import type { Tasks } from '../../tasks/record/contract.js'
import { openTasks } from '../../tasks/tasks.js'
import { type AgentSettings, agentSettings } from '../kit/agents.js'
import { misused } from '../kit/failure.js'
import { storePlace } from '../kit/settings.js'
import { packageVersion } from '../kit/version.js'
import { type Access, originsOf } from './access.js'
import { tellRequest } from './observe.js'

export interface Parts {
  readonly settled: Loaded
  readonly store: Store
  readonly models: Models
  readonly connections: Connections
  readonly finder: Finder
  readonly access: Access
  readonly telemetry: Telemetry
  /** Where it listens, once it does. */
  readonly url: () => string | null
}

export async function buildService(parts: Parts): Promise<{ readonly service: Service; readonly runs: Runs }> {
  const { settled, store, models, access, telemetry } = parts
  const { config } = settled
  const policies = policiesOf(config)
  const isOpen = access.auth.mode === 'open'
  // where the service listens is known once someone asks
  const agents = (url: string | null) => agentSettings(config, isOpen ? 'owner' : 'key', url)
  const tasks = allTasks(store, models, () => agents(isOpen ? parts.url() : null))
  const { runner } = agents(null)
  const toolServers = toolServersOf(parts, isOpen)
  const runs = openRuns({
    tools: toolServers,
    limits: agentLimits(config),
    store,
    models,
    policy: policies.usual,
    presets: policies.presets,
    titles: config.titles,
    most: config.runs_per_workspace,
    compaction: config.compaction,
    leaseSeconds: config.run_lease_seconds,
    log: toldOfWindows(telemetry),
    ended: toldOfRuns(telemetry),
    summarised: toldOfSummaries(telemetry),
  })
  const service = await openService({
    store,
    models,
    connections: parts.connections,
    toolServers,
    runs,
    finder: parts.finder,
    policy: policies.usual,
    presets: policies.presets,
    auth: access.auth,
    origin: originsOf(settled),
    rate: rateOf(config.rate_per_minute, access),
    proxies: config.trusted_proxies,
    limits: { bodyBytes: config.max_body_bytes, depth: config.max_depth },
    log: telemetry.log,
    report: (facts) => tellRequest(facts, telemetry),
    metrics: telemetry.metrics.text,
    mcp: mcpOf(parts, tasks, runner),
    tasksOf: tasks.of,
    runner,
    forward: forwardOf(config),
    live: {
      unsigned: config.unsigned_assistant,
      // a policy that someone named goes before the door's own
      session: settled.origins.policy === 'default' ? policies.session : policies.usual,
      streams: config.streams_per_workspace,
      streamAgeMs: config.stream_age_seconds * 1_000,
      version: packageVersion(),
      storage: storePlace(settled).kind,
      ...(config.public_url !== null && { publicUrl: config.public_url.replace(/\/$/, '') }),
    },
  })
  return { service, runs }
}

const forwardOf = ({ client_keys, record, agent_policy }: Config): ForwardOptions => ({
  policy: agent_policy,
  ...(client_keys !== 'auto' && { clientKeys: client_keys }),
  ...(record !== 'auto' && { record }),
})

/** Without keys there is no one to tell apart. */
const rateOf = (perMinute: number, { auth }: Access) =>
  perMinute === 0 || auth.mode === 'open'
    ? null
    : { perSecond: perMinute / 60, burst: Math.max(10, Math.ceil(perMinute / 30)) }

// `/mcp` of the service. The protocol is only loaded when someone speaks it.

function mcpOf(parts: Parts, tasks: AllTasks, runner: string): McpHandler {
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

// The tasks of each workspace, opened once for every door of the service.

interface AllTasks {
  of(workspace: string): Tasks
  /** Ends every agent that was started here. */
  close(): Promise<void>
}

function allTasks(store: Store, models: Models, settings: () => AgentSettings): AllTasks {
  const known = new Map<string, Tasks>()
  return {
    of(workspace) {
      const found = known.get(workspace)
      if (found) return found
      const { runner: _, ...agents } = settings()
      const tasks = openTasks({ store, workspace, models, ...agents })
      known.set(workspace, tasks)
      // agents that a server left behind when it died are ended by whoever comes next
      tasks.recover().catch(() => undefined)
      return tasks
    },
    async close() {
      await Promise.allSettled([...known.values()].map((tasks) => tasks.close()))
    },
  }
}

// What the settings say of the tools of an agent.

/** Opens nothing yet: a server is started or reached when an agent first needs it. */
function toolServersOf({ settled, store, telemetry }: Parts, isOpen: boolean): ToolServers {
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

const agentLimits = ({ agent_steps, agent_tokens, agent_seconds }: Config): AgentLimits => ({
  steps: agent_steps,
  tokens: agent_tokens === 0 ? Number.POSITIVE_INFINITY : agent_tokens,
  milliseconds: agent_seconds * 1_000,
})
