/** Specification 1 from the browser: the history goes along with each question, and the service keeps nothing. */
import type { ApiCaller } from './call.js'
import { ApiError } from './error.js'
import { framesOf } from './sse.js'
import type { RunUsage } from './wire.js'

/** A turn as the client keeps it; whatever else the page has on it stays in the page. */
export interface QueryTurn {
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** As it came with the answer; needed where the service does not believe unsigned ones. */
  readonly signature?: string | undefined
}

/** A question, and what was said before it. */
export interface QueryRequest {
  readonly prompt: string
  /** Everything that was said before the prompt, oldest first; the service takes the newest 20. */
  readonly history?: readonly QueryTurn[]
  readonly model?: string
}

/** A warning, or a reason. */
export interface QueryIssue {
  readonly code: string
  readonly message: string
}

/** What of the history the model saw. */
export interface QueryWindow {
  readonly model: string
  /** False when no AI answers. */
  readonly ai: boolean
  readonly messages: number
  readonly sent: number
  readonly dropped: number
  readonly warnings: readonly QueryIssue[]
}

/** The whole answer, signed so that it can come back as history. */
export interface QueryAnswer {
  readonly text: string
  readonly signature: string
  readonly model: string
  readonly ai: boolean
  readonly finish: string
  readonly usage: RunUsage | null
  readonly warnings: readonly QueryIssue[]
}

/** What is told while a question is answered. */
export type QueryEvent =
  | { readonly type: 'window'; readonly data: QueryWindow }
  | { readonly type: 'retry'; readonly data: { readonly attempt: number; readonly wait_ms: number } }
  | { readonly type: 'delta'; readonly data: { readonly text: string } }
  | { readonly type: 'done'; readonly data: QueryAnswer }

/** The answer as it comes; the signal ends it at the model, too. */
export async function* query(
  { send }: ApiCaller,
  { prompt, history = [], model }: QueryRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<QueryEvent> {
  const response = await send({
    method: 'POST',
    path: '/api/query',
    headers: { accept: 'text/event-stream' },
    body: { prompt, conversationHistory: history.map(bare), ...(model !== undefined && { model }) },
    ...(signal && { signal }),
  })
  if (!response.body) return
  for await (const { event, data } of framesOf(response.body)) {
    if (data === null) continue
    const told: unknown = JSON.parse(data)
    if (event === 'error') throw brokenBy(told)
    yield { type: event, data: told } as QueryEvent
    if (event === 'done') return
  }
  throw new ApiError({ status: 0, code: 'cut', detail: 'the answer broke off' })
}

/** What the page knows besides (steps, times, entities) is not sent. */
const bare = ({ role, content, signature }: QueryTurn): QueryTurn => ({
  role,
  content,
  ...(signature !== undefined && { signature }),
})

function brokenBy(data: unknown): ApiError {
  const { code = 'internal', message = 'the answer broke off' } = data as { code?: string; message?: string }
  return new ApiError({ status: 502, code, detail: message })
}
