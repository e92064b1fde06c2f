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

export const isOver = ({ state }: Task): boolean => next[state].length === 0

export function moved(task: Task, to: TaskState, at: string, note: string | null = null): Task {
  if (!next[task.state].includes(to)) throw illegalMove(task.state, to)
  return { ...task, state: to, note, updatedAt: at }
}
