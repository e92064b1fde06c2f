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
type AgentCaller = 'owner' | 'key'

/** `url`: where the service that runs the agents listens, when it asks for no keys. */
export function agentSettings(config: Config, caller: AgentCaller, url: string | null = null): AgentSettings {
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
  // without a key it is logged in at another address
  ...(process.env.OPENAI_API_KEY && { codex: withArgs(commands.codex as Command, codexAt(url)) }),
  gemini: { ...(commands.gemini as Command), set: { GOOGLE_GEMINI_BASE_URL: url } },
  qwen: { ...(commands.qwen as Command), set: { OPENAI_BASE_URL: `${url}/v1` } },
  opencode: { ...(commands.opencode as Command), set: { OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeAt(url)) } },
})

const withArgs = (command: Command, more: readonly string[]): Command => ({
  ...command,
  args: [...(command.args ?? []), ...more],
})

/** Settings of opencode that lead its providers to the service. */
export const opencodeAt = (url: string) => ({
  provider: {
    anthropic: { options: { baseURL: `${url}/v1` } },
    openai: { options: { baseURL: `${url}/v1` } },
    google: { options: { baseURL: `${url}/v1beta` } },
  },
})

const codexAt = (url: string): string[] =>
  [
    'model_provider="throughline"',
    'model_providers.throughline.name="Throughline"',
    `model_providers.throughline.base_url="${url}/v1"`,
    'model_providers.throughline.env_key="OPENAI_API_KEY"',
    'model_providers.throughline.wire_api="responses"',
  ].flatMap((setting) => ['-c', setting])

/** Without programs, models are what is left. */
const nothing = Object.fromEntries(Object.keys(commands).map((name) => [name, null]))
