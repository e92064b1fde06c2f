/** From a store to everything operations need; what is left out gets its usual value. */
import { HistoryError } from '../core/message/issue.js'
import { rememberSources } from '../engine/sources.js'
import { envOf } from '../engine/writing.js'
import { usualFinder, usualRecaller } from '../recall/usual.js'
import { openRuns } from '../runs/runs.js'
import type { Services } from './context.js'
import { openShares } from './share.js'

export type ServicesGiven = Pick<Services, 'store' | 'models'> & Partial<Services>

export function openServices({ store, models, ...given }: ServicesGiven): Services {
  const { policy = 'balanced', presets = {}, recaller = usualRecaller, finder = usualFinder } = given
  const env = envOf(given.env)
  const tools = given.tools ?? given.toolServers ?? noTools
  return {
    store,
    models,
    connections: given.connections ?? null,
    toolServers: given.toolServers ?? null,
    policy,
    presets,
    recaller,
    finder,
    env,
    sources: given.sources ?? rememberSources(store),
    tools,
    runs: given.runs ?? openRuns({ store, models, policy, presets, env, recaller, tools }),
    tasksOf: given.tasksOf ?? noTasks,
    runner: given.runner ?? 'claude',
    shares: given.shares ?? openShares({ store, ...env }),
    publicUrl: given.publicUrl ?? '',
    historyLimits: given.historyLimits ?? {},
  }
}

const noTools: Services['tools'] = { of: async () => new Map() }

function noTasks(): never {
  throw new HistoryError('unavailable', [
    { code: 'unavailable', message: 'this server starts no agents: open it with tasks to hand work over' },
  ])
}
