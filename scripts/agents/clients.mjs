/** The coding agents that are tried, as their packages are named and as they are pointed at a base URL. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text, null, 2))
}

/** As `{ command, args, env }`, under the name that most clients want. */
const mcpServers = (server) => ({ mcpServers: { throughline: server } })

const opencode = (name, npm, model, task) => ({
  name: `opencode (${name})`,
  package: 'opencode-ai',
  version: '1.18.33',
  bin: 'opencode',
  setup(_, url, work, server) {
    const models = { [model]: { tool_call: true, limit: { context: 200_000, output: 8_000 } } }
    const provider = { tl: { npm, options: { baseURL: `${url}/v1`, apiKey: 'test-key' }, models } }
    const permission = { bash: 'allow', edit: 'allow' }
    const local = server && { type: 'local', command: [server.command, ...server.args], environment: server.env }
    const mcp = local ? { throughline: local } : {}
    write(join(work, 'opencode.json'), { model: `tl/${model}`, small_model: `tl/${model}`, permission, provider, mcp })
    return { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }
  },
  first: (prompt) => ['run', prompt],
  next: (prompt) => ['run', '--continue', prompt],
  /** Its own providers lead to the service by the runner's settings; `tl` by its own. */
  task: {
    runner: 'opencode',
    model: task ?? `tl/${model}`,
    setup: (home, url, work) =>
      task
        ? write(join(work, 'opencode.json'), { model: task, small_model: task, permission: { bash: 'allow' } })
        : opencode(name, npm, model).setup(home, url, work),
  },
})

const pi = (name, api, base, model) => ({
  name: `pi (${name})`,
  package: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  bin: 'pi',
  node: 22,
  setup(home, url) {
    const models = [{ id: model, reasoning: true, input: ['text'], contextWindow: 200_000, maxTokens: 8_192 }]
    const tl = { baseUrl: `${url}${base}`, api, apiKey: 'test-key', models }
    write(join(home, '.pi/agent/models.json'), { providers: { tl } })
    return { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }
  },
  hasMcp: false,
  task: { runner: 'pi', model: `tl/${model}`, setup: (home, url) => pi(name, api, base, model).setup(home, url) },
  first: (prompt) => ['-p', '--offline', '--no-approve', '--provider', 'tl', '--model', model, prompt],
  next: (prompt) => ['-p', '--offline', '--no-approve', '--provider', 'tl', '--model', model, '--continue', prompt],
})

const quietClaude = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
}

const claude = (name, model) => ({
  name: `Claude Code (${name})`,
  package: '@anthropic-ai/claude-code',
  version: '2.1.325',
  bin: 'claude',
  setup(home, url, _, server) {
    if (server) write(join(home, '.claude.json'), mcpServers({ type: 'stdio', ...server }))
    return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-key', IS_SANDBOX: '1', ...quietClaude }
  },
  task: {
    runner: 'claude',
    model,
    setup: (home) => write(join(home, '.claude/settings.json'), { permissions: { allow: ['Bash'] }, env: quietClaude }),
  },
  first: (prompt) => ['-p', prompt, ...(model ? ['--model', model] : []), '--dangerously-skip-permissions'],
  next: (prompt) => [
    '-p',
    prompt,
    ...(model ? ['--model', model] : []),
    '--continue',
    '--dangerously-skip-permissions',
  ],
})

const codexSettings = (model) => `model = "${model}"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
`

const codex = (model) => ({
  name: `Codex (${model})`,
  package: '@openai/codex',
  version: '0.166.0',
  bin: 'codex',
  setup(home, url, _, server) {
    const tl = `[model_providers.tl]
name = "tl"
base_url = "${url}/v1"
env_key = "TL_KEY"
wire_api = "responses"
`
    const mcp = server
      ? `[mcp_servers.throughline]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
env = { THROUGHLINE_DB = ${JSON.stringify(server.env.THROUGHLINE_DB)} }
`
      : ''
    write(join(home, '.codex/config.toml'), `model_provider = "tl"\n${codexSettings(model)}${tl}${mcp}`)
    return { TL_KEY: 'test-key' }
  },
  task: { runner: 'codex', model, setup: (home) => write(join(home, '.codex/config.toml'), codexSettings(model)) },
  first: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  next: (prompt) => ['exec', '--skip-git-repo-check', 'resume', '--last', prompt],
})

export const clients = {
  claude: claude('default model'),
  'claude-4-5': claude('claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'),
  codex: codex('gpt-5.5'),
  'codex-5': codex('gpt-5'),
  gemini: {
    name: 'gemini-cli',
    package: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    setup(home, url, _, server) {
      write(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        ...(server && mcpServers({ ...server, trust: true })),
      })
      return {
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_API_KEY: 'test-key',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_TELEMETRY_ENABLED: 'false',
      }
    },
    task: {
      runner: 'gemini',
      model: 'gemini-2.5-pro',
      setup: (home) =>
        write(join(home, '.gemini/settings.json'), {
          security: { auth: { selectedType: 'gemini-api-key' } },
          tools: { allowed: ['run_shell_command'] },
        }),
    },
    first: (prompt) => ['--yolo', '-m', 'gemini-2.5-pro', '-p', prompt],
    next: (prompt) => ['--yolo', '-m', 'gemini-2.5-pro', '--resume', 'latest', '-p', prompt],
  },
  'opencode-anthropic': opencode('Anthropic', '@ai-sdk/anthropic', 'claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'),
  'opencode-responses': opencode('Responses', '@ai-sdk/openai', 'gpt-5-mini', 'openai/gpt-5-mini'),
  'opencode-chat': opencode('Chat', '@ai-sdk/openai-compatible', 'gpt-4.1'),
  'pi-anthropic': pi('Anthropic', 'anthropic-messages', '', 'claude-sonnet-4-5'),
  'pi-responses': pi('Responses', 'openai-responses', '/v1', 'gpt-5-mini'),
  'pi-chat': pi('Chat', 'openai-completions', '/v1', 'gpt-4.1'),
  qwen: {
    name: 'qwen-code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    bin: 'qwen',
    node: 22,
    setup(home, url, _, server) {
      write(join(home, '.qwen/settings.json'), {
        security: { auth: { selectedType: 'openai' } },
        ...(server && mcpServers({ ...server, trust: true })),
      })
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'test-key', OPENAI_MODEL: 'gpt-4.1' }
    },
    task: {
      runner: 'qwen',
      model: 'gpt-4.1',
      setup: (home) =>
        write(join(home, '.qwen/settings.json'), {
          security: { auth: { selectedType: 'openai' } },
          tools: { approvalMode: 'yolo' },
        }),
    },
    first: (prompt) => ['--yolo', '-p', prompt],
    next: (prompt) => ['--yolo', '--continue', '-p', prompt],
  },
}
