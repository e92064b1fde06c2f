/** What the settings say of agents. */
import { policiesOf } from '../../config/geometry.js'
import type { Config } from '../../config/schema.js'
import type { Command } from '../../tasks/runners/command.js'
import { commands } from '../../tasks/runners/commands.js'
import type { TasksOptions } from '../../tasks/tasks.js'

export type AgentSettings = Required<Pick<TasksOptions, 'runners' | 'roots' | 'handoff' | 'policies'>> & {
  /** The runner of agents whose deployment names none. */
  readonly runner: string
}

/**
 * Who calls: the `owner` of this process, or someone with a `key`, who has no right to the files of this machine and
 * gets the folders and programs that the settings name.
 */
export type AgentCaller = 'owner' | 'key'

/** `url`: where the service that runs the agents listens, when it asks for no keys. */
export function agentsOf(config: Config, caller: AgentCaller, url: string | null = null): AgentSettings {
  const { agents, agent_roots, agent_commands, handoff } = config
  const history = { handoff, policies: policiesOf(config).presets }
  const roots = agent_roots.length === 0 && caller === 'owner' ? 'any' : agent_roots
  if (caller === 'key' && !agent_commands) return { ...history, roots, runner: 'model', runners: nothing }
  const [first = 'claude'] = Object.keys(agents)
  const own = agents as Readonly<Record<string, Command>>
  return { ...history, roots, runner: first, runners: url === null ? own : { ...pointedAt(url), ...own } }
}

/** Agents that speak through the service: their sessions are recorded, and name their task. */
const pointedAt = (url: string): Readonly<Record<string, Command>> => ({
  claude: {
    ...(commands.claude as Command),
    set: { ANTHROPIC_BASE_URL: url, ANTHROPIC_CUSTOM_HEADERS: 'x-throughline-task: {task}' },
  },
  gemini: { ...(commands.gemini as Command), set: { GOOGLE_GEMINI_BASE_URL: url } },
})

/** Without programs, models are what is left. */
const nothing = Object.fromEntries(Object.keys(commands).map((name) => [name, null]))
