/** The tasks of each workspace, opened once for every door of the service. */
import type { Models } from '../../models/wire/contract.js'
import type { Store } from '../../store/contract/store.js'
import type { Tasks } from '../../tasks/record/contract.js'
import { openTasks } from '../../tasks/tasks.js'
import type { AgentSettings } from '../kit/agents.js'

export interface AllTasks {
  of(workspace: string): Tasks
  /** Ends every agent that was started here. */
  close(): Promise<void>
}

export function allTasks(store: Store, models: Models, settings: () => AgentSettings): AllTasks {
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
