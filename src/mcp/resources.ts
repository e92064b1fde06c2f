/** What a client can read by name: tasks, conversations, receipts. */
import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { HistoryError } from '../core/message/issue.js'
import { exportConversation } from '../operations/export.js'
import { getReceipt } from '../operations/receipts.js'
import { notFound } from '../operations/refusals.js'
import type { TaskImage } from '../tasks/record/agent.js'
import { exportForms, exportNames } from '../transfer/out/formats.js'
import type { McpContext } from './kit/context.js'
import { markdownOf } from './kit/conversation.js'
import { clipText } from './kit/room.js'
import { placeOfUri, type UriPlace, uris } from './kit/uris.js'
import { agentWire, eventWire, taskWire } from './tools/shapes.js'

const json = 'application/json'

export const templates = [
  {
    name: 'task-status',
    title: 'Status of a task',
    uriTemplate: 'task://{id}/status',
    description: 'Its state, its agents, and what happened last',
    mimeType: json,
  },
  {
    name: 'task-timeline',
    title: 'Timeline of a task',
    uriTemplate: 'task://{id}/progress-timeline',
    description: 'Progress, findings and states, the newest first',
    mimeType: json,
  },
  {
    name: 'task-prompt',
    title: 'Prompt of a task',
    uriTemplate: 'task://{id}/prompt',
    description: 'What every agent of the task reads',
    mimeType: 'text/plain',
  },
  {
    name: 'task-context',
    title: 'Context of a task',
    uriTemplate: 'task://{id}/context',
    description: 'Everything the task was given, with the history as it is stored',
    mimeType: json,
  },
  {
    name: 'conversation',
    title: 'A conversation',
    uriTemplate: 'throughline://conversations/{id}{?format}',
    description: `Its newest messages, to read; with a format all of it: ${exportNames.join(', ')}`,
    mimeType: 'text/markdown',
  },
  {
    name: 'receipt',
    title: 'A receipt',
    uriTemplate: 'throughline://receipts/{id}',
    description: 'What was sent to a model and what was not, and why',
    mimeType: json,
  },
] as const

/** How many of each kind a list names. */
const recent = 20

export async function listResources({ store, workspace, tasks }: McpContext) {
  const [conversations, newest] = await Promise.all([
    store.list(workspace, { limit: recent }),
    tasks.list({ limit: recent }),
  ])
  return [
    { uri: uris.tasks, name: 'tasks', title: 'Tasks', description: 'The newest tasks', mimeType: json },
    ...newest.items.map(({ id, description }) => ({
      uri: uris.status(id),
      name: id,
      title: clipText(description, 200).text,
      mimeType: json,
    })),
    ...conversations.items.map(({ id, title }) => ({
      uri: uris.conversation(id),
      name: id,
      title: title || 'Untitled',
      mimeType: 'text/markdown',
    })),
  ]
}

/** Bytes of one resource. */
const most = 400_000

export async function readResource(uri: string, context: McpContext): Promise<ReadResourceResult> {
  const place = placeOfUri(uri)
  if (!place) throw new ResourceNotFoundError(uri, 'Resource not found')
  try {
    const { mimeType, text, images = [] } = await contentOf(place, context)
    return { contents: [{ uri, mimeType, text: clipText(text, most).text }, ...images.flatMap(blobOf(uri))] }
  } catch (error) {
    // foreign, missing and deleted are told alike
    if (HistoryError.is(error) && /^(?:not_found|gone)$/.test(error.code))
      throw new ResourceNotFoundError(uri, 'Resource not found')
    throw error
  }
}

interface Content {
  readonly mimeType: string
  readonly text: string
  /** Pictures that the text names. */
  readonly images?: readonly TaskImage[]
}

/** A picture whose bytes are at hand; the text says where others are. */
const blobOf =
  (uri: string) =>
  ({ name, mediaType, source }: TaskImage) =>
    source.kind === 'data' ? [{ uri: `${uri}/${name}`, mimeType: mediaType, blob: source.base64 }] : []

const data = (value: unknown): Content => ({ mimeType: json, text: JSON.stringify(value, null, 2) })

/** Half a document is none. */
async function exported(context: McpContext, conversation_id: string, format: string): Promise<Content> {
  const known = exportNames.find((name) => name === format)
  if (known === undefined) throw notFound('format', format)
  let text = ''
  for await (const piece of exportConversation.run(context, { conversation_id, format: known, branch: 'main' })) {
    text += piece
    if (Buffer.byteLength(text) > most)
      throw new HistoryError('too_large', [
        { code: 'too_large', message: 'too large for a resource: export it by HTTP' },
      ])
  }
  return { mimeType: exportForms[known].mediaType.replace(/;.*/, ''), text }
}

async function contentOf(place: UriPlace, context: McpContext): Promise<Content> {
  const { tasks } = context
  switch (place.kind) {
    case 'tasks': {
      const { items, cursor } = await tasks.list({ limit: 100 })
      return data({ tasks: items.map(taskWire), more: cursor !== null })
    }
    case 'status': {
      const { task, agents, states, severities, children, recent } = await tasks.status(place.id)
      const events = recent.map((entry) => eventWire(entry))
      const counts = { agent_states: states, finding_severities: severities, children }
      return data({ task: taskWire(task), agents: agents.map(agentWire), ...counts, recent: events })
    }
    case 'timeline': {
      const { task } = await tasks.status(place.id)
      const { items, cursor } = await tasks.timeline(task.id, { limit: 100 })
      return data({ task_id: task.id, entries: items.map((entry) => eventWire(entry)), more: cursor !== null })
    }
    case 'prompt':
      return { mimeType: 'text/plain', ...(await tasks.prompt(place.id)) }
    case 'context': {
      const task = await tasks.get(place.id)
      if (!task) throw notFound('task_id', place.id)
      return data(task.task_context ?? {})
    }
    case 'conversation':
      return place.format === undefined
        ? { mimeType: 'text/markdown', text: await markdownOf(context, place.id) }
        : exported(context, place.id, place.format)
    case 'receipt': {
      const { receipt, explanation } = await getReceipt.run(context, { receipt_id: place.id })
      return data({ receipt_id: place.id, explanation, receipt })
    }
  }
}
