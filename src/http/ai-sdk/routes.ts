/** The chat of the AI SDK: `useChat` and `DefaultChatTransport` work with no more than this address. */
import { z } from 'zod'
import { groupsOf } from '../../adapters/ai-sdk/groups.js'
import { messagesForUi } from '../../adapters/ai-sdk/lines.js'
import { defined } from '../../core/message/defined.js'
import { writingOf } from '../../engine/writing.js'
import { id } from '../../operations/shapes/common.js'
import type { Run } from '../../runs/contract.js'
import { keptDesk } from '../dialect/desk.js'
import { turnProblems } from '../dialect/refusals.js'
import { turnStream } from '../dialect/stream.js'
import { ensure } from '../dialect/title.js'
import { type Turn, turnAgain, turnOf } from '../dialect/turn.js'
import { conversationAt, historyAt } from '../history/open.js'
import type { Context } from '../kit/context.js'
import { problemOf } from '../kit/refusals.js'
import { type Route, route } from '../kit/route.js'
import type { Frame } from '../kit/sse.js'
import { chatFrames } from './encode.js'
import { type Chat, lately, placeAgain, placeNew } from './place.js'
import { toldIn, toolsIn, type UiChatBody, uiChatBody } from './request.js'

const chatPath = '/api/chat/{chat}' as const
const stream = { type: 'text/event-stream', says: 'Chunks of a UI message stream' } as const
const owned = { chat: 'conversation' }

export const aiSdkRoutes: readonly Route[] = [
  route({
    name: 'sendChat',
    method: 'post',
    path: '/api/chat',
    tag: 'ai-sdk',
    summary: 'One turn of a chat, as the AI SDK asks for it',
    detail:
      'The id of the chat is that of its conversation. All messages or the last one may be sent; answering again and editing begin a branch. A client that leaves does not stop the answer.',
    scope: 'write',
    body: uiChatBody,
    answers: { 200: stream },
    problems: ['events_expired', ...turnProblems],
    example: {
      body: { id: 'example', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] } },
    },
    handle: async (context) => streamed(context, await turnIn(context)),
  }),
  route({
    name: 'resumeChat',
    method: 'get',
    path: `${chatPath}/stream`,
    tag: 'ai-sdk',
    summary: 'The answer that is being given, from its beginning; 204 when there is none',
    scope: 'read',
    answers: { 200: stream, 204: null },
    problems: ['events_expired'],
    example: { params: { chat: 'example' } },
    async handle(context) {
      const { frame, workspace, params } = context
      // a chat that nobody has begun yet has no answer either
      const begun = await frame.store.get(workspace, params.chat)
      const run = begun && (await frame.runs.active(workspace, params.chat))
      return run ? streamed(context, await turnAgain(context, run)) : new Response(null, { status: 204 })
    },
  }),
  route({
    name: 'stopChat',
    method: 'post',
    path: `${chatPath}/stop`,
    tag: 'ai-sdk',
    summary: 'Stop the answer that is being given; what it has said stays',
    scope: 'write',
    owned,
    answers: { 200: z.object({ stopped: z.boolean() }) },
    async handle(context) {
      const { frame, workspace, params } = context
      await conversationAt(context, params.chat)
      const run = await frame.runs.active(workspace, params.chat)
      if (run) await frame.runs.stop(workspace, params.chat, run.id)
      return { stopped: run !== null }
    },
  }),
  route({
    name: 'getChat',
    method: 'get',
    path: chatPath,
    tag: 'ai-sdk',
    summary: 'The messages of a chat, for a page that begins with them',
    scope: 'read',
    owned,
    answers: { 200: z.object({ id, messages: z.array(z.looseObject({ id, parts: z.array(z.unknown()) })) }) },
    async handle(context) {
      const { chat } = context.params
      const history = await historyAt(context, chat)
      return { id: chat, messages: messagesForUi(await history.path('main')) }
    },
  }),
]

type At = Pick<Context, 'frame' | 'request' | 'workspace' | 'id'>

/** The message is kept before it is answered; the same message again finds the answer that it began. */
async function turnIn(context: At & { readonly body: UiChatBody }): Promise<Turn> {
  const { frame, workspace, body } = context
  const told = toldIn(body)
  const again = body.trigger === 'regenerate-message'
  await ensure(context, body.id, told.messages)
  const active = await frame.runs.active(workspace, body.id)
  if (active && !again && active.asked === told.messages.at(-1)?.id) return turnAgain(context, active)
  // whoever says something else no longer waits for it
  if (active) await frame.runs.stop(workspace, body.id, active.id)
  const history = await historyAt(context, body.id)
  const chat: Chat = {
    history,
    writing: writingOf(frame.env),
    taken: async (entry) => (await frame.store.entry(workspace, body.id, entry)) !== null,
  }
  await (again ? placeAgain(chat, told, body.messageId ?? null) : placeNew(chat, told))
  const { model, policy } = body
  const { system } = told
  const request = { workspace, conversation: body.id, branch: 'main', model, policy, system, tools: toolsIn(body) }
  const started = await frame.runs.start(defined({ ...request, whenBusy: 'queue' as const, trace: context.id }))
  return turnOf(context, keptDesk(frame), started)
}

async function streamed(context: At, turn: Turn): Promise<Response> {
  const messageId = await messageIdOf(context, turn.run)
  return turnStream(context, turn, {
    frames: (events) => chatFrames(events, messageId),
    fault,
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  })
}

const fault = (error: unknown): Frame => ({ event: null, data: { type: 'error', errorText: problemOf(error).message } })

/** An answer after the results of its tools goes on with the message that asked for them. */
async function messageIdOf({ frame, workspace }: At, { id, conversation, asked }: Run): Promise<string> {
  const last = asked === null ? null : await frame.store.entry(workspace, conversation, asked)
  if (!last || (last.body.kind === 'message' && last.body.role === 'user')) return id
  const near = groupsOf(await frame.store.path(workspace, conversation, last.id, lately))
  // a message that is longer than that begins further back
  const groups = near.length > 1 ? near : groupsOf(await frame.store.path(workspace, conversation, last.id))
  const { message } = groups.at(-1) ?? {}
  return message?.role === 'assistant' ? message.id : id
}
