/** Conversations to take away: one in the form that is asked for, or all of them as an archive. */
import { z } from 'zod'
import { exportForms, exportNames } from '../transfer/out/formats.js'
import { inArchive } from '../transfer/out/json.js'
import { findConversation, findHead } from './find.js'
import { streamOperation } from './operation.js'
import { branchName } from './shapes/branch.js'
import { conversation_id } from './shapes/common.js'

export const exportFormat = z.enum(exportNames)

export const exportConversation = streamOperation({
  name: 'conversations.export',
  summary: 'All of it as JSON, or a branch in a form that people or other tools read',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    conversation_id,
    format: exportFormat.default('json').describe('json is our own, and the only one that holds everything'),
    branch: branchName.default('main').describe('Of the forms that have one; json and chatgpt have them all'),
  }),
  output: z.string().describe('Pieces of the document'),
  run: async function* ({ store, workspace, ...context }, { conversation_id, format, branch }) {
    const at = { store, workspace, ...context }
    const conversation = await findConversation(at, conversation_id)
    const head = format === 'json' ? null : await findHead(at, conversation.id, branch)
    yield* exportForms[format].write({ store, workspace, conversation, head })
  },
})

export const exportWorkspace = streamOperation({
  name: 'workspace.export',
  summary: 'Every conversation of the workspace, one record a line',
  detail: 'An archive of the form `throughline.archive/1`, which import reads. Its last line says that it is whole.',
  scope: 'read',
  input: z.strictObject({}),
  output: z.string().describe('Pieces of `throughline.archive/1`'),
  run: ({ store, workspace }) => inArchive(store, workspace),
})
