/** Groups of processes: found by the number of their leader, or by a mark in their environment. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
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

/** Asks first, and insists after the grace. False when the group cannot be brought to an end. */
export async function endGroup(pid: number, graceMs: number): Promise<boolean> {
  if (!signalGroup(pid, 'SIGTERM') || (await isGone(pid, graceMs))) return true
  signalGroup(pid, 'SIGKILL')
  return isGone(pid, 2_000)
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
  /** When it began, in ticks since the machine was started. */
  readonly began: string
}

/**
 * Tells a process from every other that had or will have its number: the start of the machine, the world of processes that
 * its number belongs to (a container has its own), and when it began. Null where the system does not say, or it is gone.
 */
export function identityOf(pid: number): string | null {
  const one = processOf(String(pid))
  const world = worldOf()
  return one === null || one.state === 'Z' || world === null ? null : `${world} ${one.began}`
}

/** Null when nothing can be told from here: the process lives in another world, or in none that is known. */
export function isRunning(pid: number, identity: string): boolean | null {
  const world = worldOf()
  if (world === null || !identity.startsWith(`${world} `)) return null
  return identityOf(pid) === identity
}

let world: string | null | undefined

function worldOf(): string | null {
  world ??= readWorld()
  return world
}

function readWorld(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
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
    const facts = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = '', , group = ''] = facts
    return { pid: Number(name), group: Number(group), state, began: facts[19] ?? '' }
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

/** False when some of them live on. */
export async function endStrays(agent: string): Promise<boolean> {
  for (let waited = 0; waited < 2_000 && strays(agent).length > 0; waited += 20) {
    killStrays(agent)
    await wait(20)
  }
  return strays(agent).length === 0
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
