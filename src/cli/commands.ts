/** Every command with its options. Nothing of the library is loaded from here before a command runs. */
import { type Command, command } from './command.js'
import { conversationCommands, memoryCommands, placeFlags, taskCommands } from './commands-stored.js'
import { usages } from './usage.js'

export interface CommandTree {
  readonly [name: string]: Command | CommandTree
}

/** What the commands that build a window share. */
const window = {
  file: { type: 'positional', required: false },
  sample: { type: 'boolean' },
  policy: { type: 'string' },
  'policy-file': { type: 'string' },
  overrides: { type: 'string' },
  model: { type: 'string' },
  budget: { type: 'string' },
  target: { type: 'string' },
  compat: { type: 'string' },
  current: { type: 'string' },
  system: { type: 'string' },
  now: { type: 'string' },
} as const

/** What the commands that know a service share. */
const settings = {
  config: { type: 'string' },
  db: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  model: { type: 'string' },
  policy: { type: 'string' },
  'log-level': { type: 'string' },
} as const

export const commands: CommandTree = {
  ...conversationCommands,
  memories: memoryCommands,
  task: taskCommands,
  serve: command(usages.serve, settings, async () => (await import('./serve/serve.js')).serve),
  service: {
    show: command(usages.service, settings, async () => (await import('./service/service.js')).showService),
    install: command(usages.service, settings, async () => (await import('./service/service.js')).installService),
    uninstall: command(usages.service, {}, async () => (await import('./service/service.js')).uninstallService),
  },
  connect: command(
    usages.connect,
    {
      agent: { type: 'positional', required: false },
      write: { type: 'boolean' },
      undo: { type: 'boolean' },
      config: settings.config,
      host: settings.host,
      port: settings.port,
    },
    async () => (await import('./connect/connect.js')).connectAgent,
  ),
  mcp: command(
    usages.mcp,
    {
      ...placeFlags,
      workspace: { type: 'string' },
      model: settings.model,
      conformance: { type: 'boolean' },
      port: settings.port,
    },
    async () => (await import('./mcp.js')).serveStdio,
  ),
  assemble: command(
    usages.assemble,
    { ...window, jsonl: { type: 'boolean' }, receipt: { type: 'boolean' } },
    async () => (await import('./assemble.js')).assembleFile,
  ),
  explain: command(usages.explain, window, async () => (await import('./explain.js')).explainFile),
  validate: command(usages.validate, window, async () => (await import('./validate.js')).validateFile),
  policies: {
    list: command(usages.policies, {}, async () => (await import('./policies/list.js')).printPolicies),
    show: command(
      usages.policies,
      { name: { type: 'positional', required: false }, compat: { type: 'string' } },
      async () => (await import('./policies/show.js')).showPolicy,
    ),
    diff: command(
      usages.policies,
      { one: { type: 'positional', required: false }, other: { type: 'positional', required: false } },
      async () => (await import('./policies/diff.js')).diffPolicies,
    ),
  },
  keys: {
    create: command(
      usages.keys,
      { ...placeFlags, workspace: { type: 'string' }, scopes: { type: 'string' }, name: { type: 'string' } },
      async () => (await import('./keys.js')).createKeyFor,
    ),
    list: command(usages.keys, placeFlags, async () => (await import('./keys.js')).showKeys),
    revoke: command(
      usages.keys,
      { ...placeFlags, prefix: { type: 'positional', required: false } },
      async () => (await import('./keys.js')).revokeKeyOf,
    ),
  },
  config: command(
    usages.config,
    { ...settings, schema: { type: 'boolean' } },
    async () => (await import('./config.js')).showConfig,
  ),
  doctor: command(usages.doctor, settings, async () => (await import('./doctor/doctor.js')).doctor),
  completion: command(
    usages.completion,
    { shell: { type: 'positional', required: false } },
    async () => (await import('./completion.js')).printCompletion,
  ),
  tour: command(usages.tour, {}, async () => (await import('./tour.js')).showTour),
}
