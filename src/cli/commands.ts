/** Every command with its options. Nothing of the library is loaded from here before a command runs. */
import { type Command, command } from './command.js'
import { usages } from './usage.js'

export interface Branch {
  readonly [name: string]: Command | Branch
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

export const commands: Branch = {
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
      load: async () => (await import('./policies/list.js')).listPolicies,
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
}
