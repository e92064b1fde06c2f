/** What the settings say of agents. */
import type { Config } from '../config/schema.js'
import type { Command } from '../tasks/runners/command.js'
import { commands } from '../tasks/runners/commands.js'
import type { TasksOptions } from '../tasks/tasks.js'

export type AgentSettings = Required<Pick<TasksOptions, 'runners' | 'roots'>> & {
  /** The runner of agents whose deployment names none. */
  readonly runner: string
}

/** Without programs, models are what is left. */
export function agentsOf({ agents, agent_roots: roots }: Config, programs = true): AgentSettings {
  if (!programs) return { roots, runner: 'model', runners: nothing }
  const [first = 'claude'] = Object.keys(agents)
  return { roots, runner: first, runners: agents as Readonly<Record<string, Command>> }
}

const nothing = Object.fromEntries(Object.keys(commands).map((name) => [name, null]))
