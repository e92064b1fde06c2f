/** The events of a conversation as a stream that can be left and taken up again, on any replica. */
import type { Run, Started } from '../../runs/contract.js'
import { isOver } from '../../runs/run.js'
import type { Context } from '../kit/context.js'
import { Problem } from '../kit/problem.js'
import { problemOf } from '../kit/refusals.js'
import { type Frame, sse } from '../kit/sse.js'
import { eventFrame, runIdIn } from './event-frame.js'

/** What a stream needs to know of the request. */
type Asked = Pick<Context, 'frame' | 'request' | 'workspace'>

/** Where the reader stands: as its last event says, or its query; undefined when it has seen nothing. */
export function lastSeen({ request }: Asked, after: number | undefined): number | undefined {
  const header = request.headers.get('last-event-id')
  if (header === null || header === '') return after
  if (/^\d{1,15}$/.test(header)) return Number(header)
  throw new Problem('invalid_request', {
    errors: [{ path: 'Last-Event-ID', message: 'must be the number of an event' }],
  })
}

/** Refuses a past that is lost and a future that is not yet, while there is still an answer to refuse with. */
export async function checkSeen({ frame, workspace }: Asked, conversation: string, after: number): Promise<void> {
  const { oldest, newest } = await frame.store.events(workspace, conversation, after, 1)
  if (after + 1 < oldest) throw lost(oldest)
  if (after > newest)
    throw new Problem('invalid', { errors: [{ path: 'after', message: `is ahead: the newest event is ${newest}` }] })
}

export async function newestEvent({ frame, workspace }: Asked, conversation: string): Promise<number> {
  return (await frame.store.events(workspace, conversation, 0, 1)).newest
}

/** All that happens in a conversation, for as long as the reader stays. */
export function conversationStream(asked: Asked, conversation: string, after: number): Response {
  return stream(asked, after, (signal) => frames(asked, conversation, after, signal))
}

async function* frames(asked: Asked, conversation: string, after: number, signal: AbortSignal): AsyncGenerator<Frame> {
  const { frame, workspace } = asked
  for await (const event of frame.runs.follow(workspace, conversation, after, signal)) yield eventFrame(event)
}

interface RunStream {
  /** Said after the run's own last event. */
  readonly last?: () => Promise<Frame>
  readonly headers?: Readonly<Record<string, string>>
}

/** A run that has just been asked for; one that its key has found again is told from its beginning. */
export async function startedStream(
  asked: Asked,
  { run, after, repeated }: Started,
  more: RunStream,
): Promise<Response> {
  const before = repeated ? await beginningOf(asked, run, undefined) : after
  return runStream(asked, run, before ?? after, more)
}

/** What happens in one run, to its end. */
export function runStream(asked: Asked, run: Run, after: number, { last, headers }: RunStream = {}): Response {
  return stream(asked, after, (signal) => runFrames(asked, run, after, signal, last), headers)
}

async function* runFrames(
  asked: Asked,
  { id, conversation }: Run,
  after: number,
  signal: AbortSignal,
  last: RunStream['last'],
): AsyncGenerator<Frame> {
  const { frame, workspace } = asked
  for await (const event of frame.runs.follow(workspace, conversation, after, signal)) {
    if (runIdIn(event) !== id) continue
    yield eventFrame(event)
    if (event.type !== 'run-ended') continue
    if (last) yield await last()
    return
  }
}

function stream(
  { frame, workspace }: Asked,
  after: number,
  open: (signal: AbortSignal) => AsyncIterable<Frame>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { gate, streamAgeMs, timer } = frame.live
  const entered = (signal: AbortSignal) => {
    gate.enter(workspace, signal)
    return open(signal)
  }
  return sse(entered, { after, ageMs: streamAgeMs, until: frame.closing, fault, headers, ...(timer && { timer }) })
}

/** The last word of a stream that broke. */
export function fault(error: unknown): Frame {
  const { code, facts, message } = problemOf(error)
  return { event: 'error', data: { code, message, ...facts.more } }
}

/** Events that are looked through at once for those of a run. */
const page = 500

/** The number before a run's first event above `after`; null when there is none. Without `after`, its very first, which may have been forgotten. */
export async function beginningOf(asked: Asked, run: Run, after: number | undefined): Promise<number | null> {
  const { frame, workspace } = asked
  const { oldest } = await frame.store.events(workspace, run.conversation, after ?? 0, 1)
  for (let last = after ?? oldest - 1; ; ) {
    const { events } = await frame.store.events(workspace, run.conversation, last, page)
    const first = events.find((event) => runIdIn(event) === run.id)
    if (first && after === undefined && first.type !== 'run-queued' && first.type !== 'run-started') throw lost(oldest)
    if (first) return first.number - 1
    if (events.length === 0 && after === undefined && isOver(run)) throw lost(oldest)
    if (events.length === 0) return isOver(run) ? null : last
    last = events.at(-1)?.number ?? last
  }
}

const lost = (oldest: number): Problem =>
  new Problem('events_expired', { detail: `events are kept from ${oldest} on`, more: { oldest } })
