/** The states of a task, and which may follow which. */
import type { Task, TaskState } from './contract.js'
import { illegalMove } from './refuse.js'

const next: Readonly<Record<TaskState, readonly TaskState[]>> = {
  registered: ['active', 'cancelled'],
  active: ['blocked', 'completed', 'failed', 'cancelled'],
  blocked: ['active', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export const isTaskOver = ({ state, endedBy }: Task): boolean => next[state].length === 0 && endedBy !== 'agents'

export function movedTask({ endedBy, ...task }: Task, to: TaskState, at: string, note: string | null = null): Task {
  const mayFollow = endedBy === 'agents' ? (['active', ...next.active] as const) : next[task.state]
  if (!mayFollow.includes(to)) throw illegalMove(task.state, to)
  return { ...task, state: to, note, updatedAt: at }
}
