/** How many streams one workspace may hold open at this server. */
import { Problem } from './problem.js'

export interface Gate {
  /** Counts until the signal fires; refuses when there are too many. */
  enter(workspace: string, until: AbortSignal): void
}

export function openGate(most: number): Gate {
  const open = new Map<string, number>()
  return {
    enter(workspace, until) {
      const count = open.get(workspace) ?? 0
      if (count >= most)
        throw new Problem('rate_limited', {
          detail: `at most ${most} streams at once`,
          headers: { 'retry-after': '5' },
        })
      open.set(workspace, count + 1)
      until.addEventListener('abort', () => leave(open, workspace), { once: true })
    },
  }
}

function leave(open: Map<string, number>, workspace: string): void {
  const left = (open.get(workspace) ?? 1) - 1
  if (left > 0) open.set(workspace, left)
  else open.delete(workspace)
}
