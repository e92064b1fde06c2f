/** `POST /chat` of specification 4: a session goes on, and the second message knows the first. */
import { z } from 'zod'
import { defined } from '../../core/message/defined.js'
import type { Part } from '../../core/message/item.js'
import { pathOf } from '../../operations/runs.js'
import { id, issueSchema } from '../../operations/shapes/common.js'
import { runOf, runSchema, runSettings } from '../../operations/shapes/run.js'
import type { Run, RunRequest, Started } from '../../runs/contract.js'
import type { Store } from '../../store/contract/store.js'
import { digest } from '../../store/shared/runtime.js'
import type { Context } from '../kit/context.js'
import { json, type Route, route } from '../kit/route.js'
import type { Frame } from '../kit/sse.js'
import { modelProblems, problemOfRun } from './failed.js'
import { fault, startedStream } from './stream.js'
import { filledText } from './words.js'

const { model, policy, system, recall } = runSettings

const chatBody = z.strictObject({
  message: filledText,
  session_id: id.optional().describe('Left out, a session begins; one that is new begins under this name'),
  model,
  policy,
  system,
  recall,
  author: z.string().min(1).max(200).optional(),
  stream: z.boolean().optional().describe('Events instead of JSON, as with Accept: text/event-stream'),
})

type Chat = Context<object, object, z.output<typeof chatBody>>

const chatSchema = z
  .object({
    session_id: id,
    response: z.string(),
    message_id: id.nullable().describe('What was asked'),
    answer_id: id.nullable(),
    run_id: id,
    receipt_id: id.nullable(),
    model: z.string(),
    ai: z.boolean(),
    label: z.string().optional().describe('How to mark an answer that no AI gave'),
    state: z
      .enum(['done', 'stopped', 'waiting'])
      .describe('`waiting`: calls of tools wait for a decision, as the run says'),
    waiting: runSchema.shape.waiting,
    steps: runSchema.shape.steps,
    usage: runSchema.shape.usage,
    warnings: z.array(issueSchema),
    trace_id: z.string(),
  })
  .meta({ id: 'ChatAnswer', description: 'An answer, and where to find all that belongs to it' })

export const chatRoutes: readonly Route[] = [
  route({
    name: 'chat',
    method: 'post',
    path: '/chat',
    tag: 'specifications',
    summary: 'One message of a session, and its answer',
    detail:
      'Without a session_id a session begins; with one it goes on, or begins under that name. A caller that leaves does not stop the answer: it is in the conversation.',
    scope: 'write',
    owned: {},
    body: chatBody,
    keyed: true,
    streams: 'The run as it goes on, then `done` with what JSON would have said',
    answers: { 200: chatSchema },
    problems: [
      'events_expired',
      'gone',
      'invalid',
      'key_reused',
      'too_many_runs',
      'unknown_model',
      'policy_invalid',
      'refused',
      ...modelProblems,
    ],
    example: { body: { message: 'Who owns the Cincinnati service?' } },
    async handle(context) {
      const request = await requestOf(context)
      const started = await context.frame.runs.start(request)
      started.ended.catch(() => {})
      if (wantsEvents(context)) return streamed(context, started)
      return json(await answered(context, started))
    },
  }),
]

const wantsEvents = ({ body, request }: Chat): boolean =>
  body.stream ?? prefers(request, ['application/json', 'text/event-stream']) === 'text/event-stream'

async function requestOf(context: Chat): Promise<RunRequest> {
  const { frame, workspace, body, key, id } = context
  const { session_id, policy, stream: _, ...rest } = body
  const conversation = session_id ?? newSession(context)
  return defined({
    ...rest,
    workspace,
    conversation,
    policy,
    // a conversation that has a policy of its own keeps it
    usualPolicy: frame.live.session,
    whenBusy: 'queue' as const,
    // a title is not worth a call of the model
    titles: 'words' as const,
    agent: true,
    key,
    trace: id,
  })
}

/** The same key begins the same session, so that a repeated first message finds its answer. */
const newSession = ({ frame, workspace, key }: Chat): string =>
  key === undefined ? frame.env.id() : `session-${digest(JSON.stringify([workspace, key])).slice(0, 32)}`

function streamed(context: Chat, started: Started): Promise<Response> {
  const last = async (): Promise<Frame> => {
    try {
      return { event: 'done', data: await answered(context, started) }
    } catch (error) {
      return fault(error)
    }
  }
  return startedStream(context, started, { last, headers: { location: pathOf(started.run) } })
}

/** Waits for the end; a caller that leaves meanwhile changes nothing. */
async function answered(context: Chat, started: Started): Promise<z.output<typeof chatSchema>> {
  const run = await started.ended
  if (run.state !== 'done' && run.state !== 'stopped' && run.state !== 'waiting') throw problemOfRun(run)
  const { frame, workspace, id } = context
  return {
    session_id: run.conversation,
    response: wordsOf(started.answer() ?? (await partsOf(frame.store, workspace, run))),
    message_id: run.asked,
    answer_id: run.entry,
    run_id: run.id,
    receipt_id: run.receipt,
    model: run.model,
    ...(await markOf(context, run)),
    state: run.state,
    waiting: runOf(run).waiting,
    steps: run.steps,
    usage: run.usage && { ...run.usage },
    warnings: [...started.warnings, ...started.cut(), ...(run.error ? [run.error] : [])],
    trace_id: id,
  }
}

const wordsOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

async function partsOf(store: Store, workspace: string, { conversation, entry }: Run): Promise<readonly Part[]> {
  const said = entry === null ? null : await store.entry(workspace, conversation, entry)
  return said?.body.kind === 'message' ? said.body.parts : []
}

async function markOf({ frame }: Chat, run: Run): Promise<{ readonly ai: boolean; readonly label?: string }> {
  // a run of another server may have had a model that is not known here
  const model = await frame.models.find(run.model).catch(() => null)
  return model?.kind === 'builtin' ? { ai: false, label: model.label } : { ai: true }
}

// Which of the forms that there are the caller would rather have; the first when it does not care.

export function prefers<const T extends string>(request: Request, offers: readonly [T, ...T[]]): T {
  const header = request.headers.get('accept')
  if (header === null || header.length > 1_000) return offers[0]
  const wishes = header.split(',').map(wishOf)
  const rank = (offer: T): number => Math.max(0, ...wishes.map((wish) => weight(wish, offer)))
  return offers.reduce((best, offer) => (rank(offer) > rank(best) ? offer : best))
}

interface Wish {
  readonly type: string
  readonly quality: number
}

function wishOf(text: string): Wish {
  const [type = '', ...params] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(params.find((param) => param.startsWith('q='))?.slice(2) ?? 1)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** What is named counts more than what a star covers. */
function weight({ type, quality }: Wish, offer: string): number {
  if (type === offer) return quality
  if (type === '*/*' || type === `${offer.split('/')[0]}/*`) return quality / 1_000
  return 0
}
