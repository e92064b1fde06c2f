/** The commands on what is stored: conversations, their windows, tasks. */
import { command } from './command.js'
import { usages } from './usage.js'

export const placeFlags = { config: { type: 'string' }, db: { type: 'string' } } as const

const stored = { ...placeFlags, workspace: { type: 'string' } } as const
const id = { type: 'positional', required: false } as const
const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const limit = { type: 'string', alias: 'n' } as const
const query = { type: 'string', alias: 'q' } as const

/** Which conversation, and which of its branches. */
const which = {
  continue: { type: 'boolean', alias: 'c' },
  conversation: { type: 'string', alias: 't' },
  branch: text,
} as const
const model = { type: 'string', alias: 'm' } as const

export const conversationCommands = {
  chat: command({
    usage: usages.chat,
    args: { ...stored, ...which, resume: flag, model, policy: text, recall: text, system: text },
    words: true,
    load: async () => (await import('./chat/chat.js')).chat,
  }),
  list: command({
    usage: usages.list,
    args: { ...stored, limit, query, folder: text, tag: text, pinned: flag, archived: flag },
    load: async () => (await import('./history/list.js')).listStored,
  }),
  show: command({
    usage: usages.show,
    args: { ...stored, id, branch: text, branches: flag, limit, raw: flag },
    load: async () => (await import('./history/show.js')).showConversation,
  }),
  search: command({
    usage: usages.search,
    args: { ...stored, mode: text, role: text, since: text, in: text, branch: text, tag: text, limit },
    words: true,
    load: async () => (await import('./history/search.js')).searchStored,
  }),
  fork: command({
    usage: usages.fork,
    args: { ...stored, id, at: text, name: text },
    load: async () => (await import('./history/fork.js')).forkStored,
  }),
  rename: command({
    usage: usages.change,
    args: stored,
    words: true,
    load: async () => (await import('./history/change.js')).rename,
  }),
  pin: command({
    usage: usages.change,
    args: { ...stored, id, off: flag },
    load: async () => (await import('./history/change.js')).pin,
  }),
  tag: command({
    usage: usages.change,
    args: { ...stored, off: flag },
    words: true,
    load: async () => (await import('./history/change.js')).tag,
  }),
  archive: command({
    usage: usages.change,
    args: { ...stored, id, off: flag },
    load: async () => (await import('./history/change.js')).archive,
  }),
  delete: command({
    usage: usages.change,
    args: { ...stored, id, yes: flag },
    load: async () => (await import('./history/change.js')).removeOne,
  }),
  compact: command({
    usage: usages.compact,
    args: { ...stored, id, branch: text, budget: text },
    load: async () => (await import('./history/compact.js')).compactStored,
  }),
  context: command({
    usage: usages.context,
    args: {
      ...{ ...stored, id, ...which, model, policy: text, recall: text, budget: text, current: text },
      ...{ why: text, wire: flag, diff: flag, all: flag },
    },
    load: async () => (await import('./context/context.js')).showContext,
  }),
  import: command({
    usage: usages.import,
    args: { ...stored, path: id, from: text, 'dry-run': flag, watch: flag },
    load: async () => (await import('./history/import.js')).importInto,
  }),
  export: command({
    usage: usages.export,
    args: { ...stored, id, to: text, branch: text, output: { type: 'string', alias: 'o' }, all: flag },
    load: async () => (await import('./history/export.js')).exportTo,
  }),
  receipts: command({
    usage: usages.receipts,
    args: { ...stored, id, limit },
    load: async () => (await import('./history/receipts.js')).showReceipts,
  }),
  verify: command({
    usage: usages.verify,
    args: { ...stored, id, all: flag },
    load: async () => (await import('./history/verify.js')).verifyConversations,
  }),
  call: command({
    usage: usages.call,
    args: { ...stored, key: text },
    words: true,
    help: async (words) => (await import('./operation-help.js')).helpOn(words),
    load: async () => (await import('./call.js')).callOperation,
  }),
  reindex: command({
    usage: usages.reindex,
    args: { ...stored, fresh: flag },
    load: async () => (await import('./history/reindex.js')).reindexMessages,
  }),
  backup: command({
    usage: usages.backup,
    args: { ...placeFlags, file: id, incremental: flag },
    load: async () => (await import('./history/backup.js')).backupTo,
  }),
  restore: command({
    usage: usages.restore,
    args: { ...placeFlags, file: id, force: flag },
    load: async () => (await import('./history/restore.js')).restoreFrom,
  }),
  migrate: command({
    usage: usages.migrate,
    args: { ...placeFlags, distribute: flag },
    load: async () => (await import('./history/migrate.js')).migrateStored,
  }),
  repair: command({
    usage: usages.repair,
    args: { ...placeFlags, file: id },
    load: async () => (await import('./history/restore.js')).repairTo,
  }),
}

export const memoryCommands = {
  add: command({
    usage: usages.memories,
    args: { ...stored, kind: text, conversation: which.conversation, from: text },
    words: true,
    load: async () => (await import('./memories/memories.js')).add,
  }),
  list: command({
    usage: usages.memories,
    args: { ...stored, kind: text, limit },
    load: async () => (await import('./memories/memories.js')).printMemories,
  }),
  edit: command({
    usage: usages.memories,
    args: { ...stored, kind: text },
    words: true,
    load: async () => (await import('./memories/memories.js')).edit,
  }),
  rm: command({
    usage: usages.memories,
    args: { ...stored, id },
    load: async () => (await import('./memories/memories.js')).rm,
  }),
  export: command({
    usage: usages.memories,
    args: stored,
    load: async () => (await import('./memories/memories.js')).exportAll,
  }),
}

export const taskCommands = {
  create: command({
    usage: usages.task,
    args: {
      ...{ ...stored, conversation: which.conversation, branch: text, history: text, parent: text, priority: text },
      ...{ preset: text, cwd: text, background: text, deliverables: text, criteria: text, constraints: text },
      ...{ files: text, docs: text, compress: text, model, tokens: text },
    },
    words: true,
    load: async () => (await import('./task/create.js')).createStoredTask,
  }),
  deploy: command({
    usage: usages.task,
    args: { ...stored, id, runner: text, command: text, model, prompt: text, timeout: text },
    load: async () => (await import('./task/deploy.js')).deployCommand,
  }),
  status: command({
    usage: usages.task,
    args: { ...stored, id },
    load: async () => (await import('./task/status.js')).showTaskStatus,
  }),
  show: command({
    usage: usages.task,
    args: { ...stored, id },
    load: async () => (await import('./task/show.js')).showTask,
  }),
  output: command({
    usage: usages.task,
    args: { ...stored, id, err: flag, tail: text, follow: { type: 'boolean', alias: 'f' } },
    load: async () => (await import('./task/output.js')).showOutput,
  }),
  list: command({
    usage: usages.task,
    args: { ...stored, limit, query, state: text },
    load: async () => (await import('./task/list.js')).listStoredTasks,
  }),
}
