/** Groups of processes: found by the number of their leader, or by a mark in their environment. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export const agentMark = 'THROUGHLINE_AGENT'

/** False when there is no such group any more. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

/** Asks first, and insists after the grace. Resolves when the group is gone, or cannot be brought to an end. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM') || (await isGone(pid, graceMs))) return
  signalGroup(pid, 'SIGKILL')
  await isGone(pid, 2_000)
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0, pause = 10; waited < withinMs; waited += pause) {
    if (!isAlive(pid)) return true
    pause = Math.min(pause * 2, 100)
    await wait(pause)
  }
  return !isAlive(pid)
}

/** A group of processes that have ended and were not yet fetched by their parents is no group. */
function isAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  const all = processes()
  // where there is no /proc, nobody can tell
  return all === null || all.some((one) => one.group === group && one.state !== 'Z')
}

interface Process {
  readonly pid: number
  readonly group: number
  readonly state: string
}

function processes(): readonly Process[] | null {
  let names: readonly string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return null
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (processOf(name) ?? []) : []))
}

function processOf(name: string): Process | null {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
    // the name in parentheses may hold anything
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(name), group: Number(group), state }
  } catch {
    return null
  }
}

/** Processes that an agent started and that left its group: its mark is in their environment. */
export function strays(agent: string): readonly number[] {
  const mark = `${agentMark}=${agent}\0`
  return (processes() ?? []).flatMap(({ pid, state }) => (state !== 'Z' && isMarked(pid, mark) ? [pid] : []))
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return `${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`.includes(mark)
  } catch {
    return false
  }
}

export function killStrays(agent: string): void {
  for (const pid of strays(agent)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it ended meanwhile
    }
  }
}
