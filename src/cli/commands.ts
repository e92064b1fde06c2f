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
  serve: command({
    usage: usages.serve,
    args: settings,
    load: async () => (await import('./serve/serve.js')).serve,
  }),
  service: {
    show: command({
      usage: usages.service,
      args: settings,
      load: async () => (await import('./service/service.js')).showService,
    }),
    install: command({
      usage: usages.service,
      args: settings,
      load: async () => (await import('./service/service.js')).installService,
    }),
    uninstall: command({
      usage: usages.service,
      args: {},
      load: async () => (await import('./service/service.js')).uninstallService,
    }),
  },
  connect: command({
    usage: usages.connect,
    args: {
      agent: { type: 'positional', required: false },
      write: { type: 'boolean' },
      undo: { type: 'boolean' },
      config: settings.config,
      host: settings.host,
      port: settings.port,
    },
    load: async () => (await import('./connect/connect.js')).connectAgent,
  }),
  mcp: command({
    usage: usages.mcp,
    args: {
      ...placeFlags,
      workspace: { type: 'string' },
      model: settings.model,
      conformance: { type: 'boolean' },
      port: settings.port,
    },
    load: async () => (await import('./mcp.js')).serveStdio,
  }),
  assemble: command({
    usage: usages.assemble,
    args: { ...window, jsonl: { type: 'boolean' }, receipt: { type: 'boolean' } },
    load: async () => (await import('./assemble.js')).assembleFile,
  }),
  explain: command({
    usage: usages.explain,
    args: window,
    load: async () => (await import('./explain.js')).explainFile,
  }),
  validate: command({
    usage: usages.validate,
    args: window,
    load: async () => (await import('./validate.js')).validateFile,
  }),
  policies: {
    list: command({
      usage: usages.policies,
      args: {},
      load: async () => (await import('./policies/list.js')).printPolicies,
    }),
    show: command({
      usage: usages.policies,
      args: { name: { type: 'positional', required: false }, compat: { type: 'string' } },
      load: async () => (await import('./policies/show.js')).showPolicy,
    }),
    diff: command({
      usage: usages.policies,
      args: { one: { type: 'positional', required: false }, other: { type: 'positional', required: false } },
      load: async () => (await import('./policies/diff.js')).diffPolicies,
    }),
  },
  keys: {
    create: command({
      usage: usages.keys,
      args: { ...placeFlags, workspace: { type: 'string' }, scopes: { type: 'string' }, name: { type: 'string' } },
      load: async () => (await import('./keys.js')).createKeyFor,
    }),
    list: command({ usage: usages.keys, args: placeFlags, load: async () => (await import('./keys.js')).showKeys }),
    revoke: command({
      usage: usages.keys,
      args: { ...placeFlags, prefix: { type: 'positional', required: false } },
      load: async () => (await import('./keys.js')).revokeKeyOf,
    }),
  },
  config: command({
    usage: usages.config,
    args: { ...settings, schema: { type: 'boolean' } },
    load: async () => (await import('./config.js')).showConfig,
  }),
  doctor: command({
    usage: usages.doctor,
    args: settings,
    load: async () => (await import('./doctor/doctor.js')).doctor,
  }),
  completion: command({
    usage: usages.completion,
    args: { shell: { type: 'positional', required: false } },
    load: async () => (await import('./completion.js')).printCompletion,
  }),
  tour: command({ usage: usages.tour, args: {}, load: async () => (await import('./tour.js')).showTour }),
}
