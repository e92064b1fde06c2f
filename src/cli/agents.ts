/** What the settings say of agents. */
import { policiesOf } from '../config/geometry.js'
import type { Config } from '../config/schema.js'
import type { Command } from '../tasks/runners/command.js'
import { commands } from '../tasks/runners/commands.js'
import type { TasksOptions } from '../tasks/tasks.js'

export type AgentSettings = Required<Pick<TasksOptions, 'runners' | 'roots' | 'handoff' | 'policies'>> & {
  /** The runner of agents whose deployment names none. */
  readonly runner: string
}

/**
 * Who calls: the `owner` of this process, or someone with a `key`, who has no right to the files of this machine and
 * gets the folders and programs that the settings name.
 */
export type AgentCaller = 'owner' | 'key'

export function agentsOf(config: Config, caller: AgentCaller): AgentSettings {
  const { agents, agent_roots, agent_commands, handoff } = config
  const history = { handoff, policies: policiesOf(config).handoff }
  const roots = agent_roots.length === 0 && caller === 'owner' ? 'any' : agent_roots
  if (caller === 'key' && !agent_commands) return { ...history, roots, runner: 'model', runners: nothing }
  const [first = 'claude'] = Object.keys(agents)
  return { ...history, roots, runner: first, runners: agents as Readonly<Record<string, Command>> }
}

/** Without programs, models are what is left. */
const nothing = Object.fromEntries(Object.keys(commands).map((name) => [name, null]))
