/** From settings to a service. */
import { policiesOf } from '../../config/geometry.js'
import type { Loaded } from '../../config/load.js'
import type { Config } from '../../config/schema.js'
import type { ForwardOptions } from '../../http/forward/forward.js'
import { openService, type Service } from '../../http/service.js'
import { type Telemetry, toldOfRuns, toldOfSummaries, toldOfWindows } from '../../http/telemetry/telemetry.js'
import type { Connections } from '../../models/connect/connections.js'
import type { Models } from '../../models/wire/contract.js'
import type { Finder } from '../../recall/finder.js'
import type { Runs } from '../../runs/contract.js'
import { openRuns } from '../../runs/runs.js'
import type { Store } from '../../store/contract/store.js'
import { agentSettings } from '../kit/agents.js'
import { storePlace } from '../kit/settings.js'
import { packageVersion } from '../kit/version.js'
import { type Access, originsOf } from './access.js'
import { mcpOf } from './mcp.js'
import { tellRequest } from './observe.js'
import { allTasks } from './tasks.js'
import { agentLimits, toolServersOf } from './tools.js'

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
