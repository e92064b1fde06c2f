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
  chat: command(
    usages.chat,
    { ...stored, ...which, resume: flag, model, policy: text, recall: text, system: text },
    async () => (await import('./chat/chat.js')).chat,
    { words: true },
  ),
  list: command(
    usages.list,
    { ...stored, limit, query, folder: text, tag: text, pinned: flag, archived: flag },
    async () => (await import('./history/list.js')).listStored,
  ),
  show: command(
    usages.show,
    { ...stored, id, branch: text, branches: flag, limit, raw: flag },
    async () => (await import('./history/show.js')).showConversation,
  ),
  search: command(
    usages.search,
    { ...stored, mode: text, role: text, since: text, in: text, branch: text, tag: text, limit },
    async () => (await import('./history/search.js')).searchStored,
    { words: true },
  ),
  fork: command(
    usages.fork,
    { ...stored, id, at: text, name: text },
    async () => (await import('./history/fork.js')).forkStored,
  ),
  rename: command(usages.change, stored, async () => (await import('./history/change.js')).rename, { words: true }),
  pin: command(usages.change, { ...stored, id, off: flag }, async () => (await import('./history/change.js')).pin),
  tag: command(usages.change, { ...stored, off: flag }, async () => (await import('./history/change.js')).tag, {
    words: true,
  }),
  archive: command(
    usages.change,
    { ...stored, id, off: flag },
    async () => (await import('./history/change.js')).archive,
  ),
  delete: command(
    usages.change,
    { ...stored, id, yes: flag },
    async () => (await import('./history/change.js')).removeOne,
  ),
  compact: command(
    usages.compact,
    { ...stored, id, branch: text, budget: text },
    async () => (await import('./history/compact.js')).compactStored,
  ),
  context: command(
    usages.context,
    {
      ...{ ...stored, id, ...which, model, policy: text, recall: text, budget: text, current: text },
      ...{ why: text, wire: flag, diff: flag, all: flag },
    },
    async () => (await import('./context/context.js')).showContext,
  ),
  import: command(
    usages.import,
    { ...stored, path: id, from: text, 'dry-run': flag, watch: flag },
    async () => (await import('./history/import.js')).importInto,
  ),
  export: command(
    usages.export,
    { ...stored, id, to: text, branch: text, output: { type: 'string', alias: 'o' }, all: flag },
    async () => (await import('./history/export.js')).exportTo,
  ),
  receipts: command(
    usages.receipts,
    { ...stored, id, limit },
    async () => (await import('./history/receipts.js')).showReceipts,
  ),
  verify: command(
    usages.verify,
    { ...stored, id, all: flag },
    async () => (await import('./history/verify.js')).verifyConversations,
  ),
  call: command(usages.call, { ...stored, key: text }, async () => (await import('./call.js')).callOperation, {
    words: true,
    help: async (words) => (await import('./operation-help.js')).helpOn(words),
  }),
  reindex: command(
    usages.reindex,
    { ...stored, fresh: flag },
    async () => (await import('./history/reindex.js')).reindexMessages,
  ),
  backup: command(
    usages.backup,
    { ...placeFlags, file: id, incremental: flag },
    async () => (await import('./history/backup.js')).backupTo,
  ),
  restore: command(
    usages.restore,
    { ...placeFlags, file: id, force: flag },
    async () => (await import('./history/restore.js')).restoreFrom,
  ),
  migrate: command(
    usages.migrate,
    { ...placeFlags, distribute: flag },
    async () => (await import('./history/migrate.js')).migrateStored,
  ),
  repair: command(
    usages.repair,
    { ...placeFlags, file: id },
    async () => (await import('./history/restore.js')).repairTo,
  ),
}

export const memoryCommands = {
  add: command(
    usages.memories,
    { ...stored, kind: text, conversation: which.conversation, from: text },
    async () => (await import('./memories/memories.js')).add,
    { words: true },
  ),
  list: command(
    usages.memories,
    { ...stored, kind: text, limit },
    async () => (await import('./memories/memories.js')).printMemories,
  ),
  edit: command(usages.memories, { ...stored, kind: text }, async () => (await import('./memories/memories.js')).edit, {
    words: true,
  }),
  rm: command(usages.memories, { ...stored, id }, async () => (await import('./memories/memories.js')).rm),
  export: command(usages.memories, stored, async () => (await import('./memories/memories.js')).exportAll),
}

export const taskCommands = {
  create: command(
    usages.task,
    {
      ...{ ...stored, conversation: which.conversation, branch: text, history: text, parent: text, priority: text },
      ...{ preset: text, cwd: text, background: text, deliverables: text, criteria: text, constraints: text },
      ...{ files: text, docs: text, compress: text, model, tokens: text },
    },
    async () => (await import('./task/create.js')).createStoredTask,
    { words: true },
  ),
  deploy: command(
    usages.task,
    { ...stored, id, runner: text, command: text, model, prompt: text, timeout: text },
    async () => (await import('./task/deploy.js')).deployCommand,
  ),
  status: command(usages.task, { ...stored, id }, async () => (await import('./task/status.js')).showTaskStatus),
  show: command(usages.task, { ...stored, id }, async () => (await import('./task/show.js')).showTask),
  output: command(
    usages.task,
    { ...stored, id, err: flag, tail: text, follow: { type: 'boolean', alias: 'f' } },
    async () => (await import('./task/output.js')).showOutput,
  ),
  list: command(
    usages.task,
    { ...stored, limit, query, state: text },
    async () => (await import('./task/list.js')).listStoredTasks,
  ),
}
