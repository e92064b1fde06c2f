/** Conversations that come from elsewhere. */
import { z } from 'zod'
import { importFrom } from '../transfer/import.js'
import { formatNames } from '../transfer/kit/contract.js'
import { watchFrom } from '../transfer/watch.js'
import { streamOperation } from './operation.js'

export const importFormat = z.enum(formatNames)

const kinds = z.array(z.object({ reason: z.string(), count: z.int(), examples: z.array(z.string()) }))

const importedConversation = z
  .object({
    type: z.literal('conversation'),
    format: importFormat,
    source: z.string().describe('The file'),
    id: z.string(),
    title: z.string(),
    status: z.enum(['added', 'extended', 'unchanged']),
    messages: z.int().describe('In the source'),
    added: z.int().describe('That were not here'),
    branches: z.int(),
    files: z.int(),
  })
  .meta({ id: 'ImportedConversation', description: 'What became of one conversation' })

export const importReport = z
  .object({
    type: z.literal('report'),
    dry_run: z.boolean(),
    formats: z.partialRecord(importFormat, z.int()).describe('Conversations of each format'),
    sources: z.object({ read: z.int(), other: z.int() }).describe('Files that were read, and files of no known format'),
    conversations: z.object({
      ...{ found: z.int(), added: z.int(), extended: z.int(), unchanged: z.int(), failed: z.int() },
    }),
    messages: z.object({ found: z.int(), added: z.int() }),
    branches: z.int(),
    files: z.int(),
    skipped: kinds.describe('What was left out, by kind'),
    warnings: kinds.describe('What could not be kept as it was, by kind'),
  })
  .meta({ id: 'ImportReport', description: 'What an import did, or would do' })

export type ImportReportShape = z.output<typeof importReport>

/** Files can speak in every role, so that only the operator brings them in. */
export const importConversations = streamOperation({
  name: 'transfer.import',
  summary: 'Bring conversations in from a file, a folder or a zip',
  detail:
    'What is there already is not written again: a source that has grown adds its tail, and one that was edited becomes a ' +
    'branch. Each conversation is told as it is done; the last line is the report.',
  scope: 'admin',
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('A file or a folder'),
    from: importFormat.optional().describe('The format; left out, the shape of each file decides'),
    dry_run: z.boolean().default(false).describe('Only say what would be done'),
    watch: z.boolean().default(false).describe('Go on with what changes; each round ends with its report'),
  }),
  output: z.union([importedConversation, importReport]),
  refusals: ['not_found'],
  run: ({ store, workspace, env, signal }, { path, from, dry_run, watch }) =>
    (watch ? watchFrom : importFrom)({ store, workspace, env }, { path, from, dryRun: dry_run, signal }),
})
