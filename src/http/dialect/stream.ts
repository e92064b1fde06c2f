/** A turn as a stream in the words of its dialect. */

import { receiptIdOf } from '../../runs/ask.js'
import type { RunEvent } from '../../runs/contract.js'
import type { Context } from '../kit/context.js'
import { type Frame, sse } from '../kit/sse.js'
import { eventsOf, stop, type Turn } from './turn.js'

export interface Speech {
  readonly frames: (events: AsyncIterable<RunEvent>) => AsyncIterable<Frame>
  /** The last word of a stream that broke. */
  readonly fault: (error: unknown) => Frame
  readonly headers?: Readonly<Record<string, string>>
}

export function turnStream(
  { frame, workspace }: Pick<Context, 'frame' | 'workspace'>,
  turn: Turn,
  { frames, fault, headers }: Speech,
): Response {
  const { gate, streamAgeMs, timer } = frame.live
  const open = (signal: AbortSignal) => {
    gate.enter(workspace, signal)
    // a turn that nobody keeps is only for who hears it
    if (!turn.kept) signal.addEventListener('abort', () => void stop(turn), { once: true })
    return frames(eventsOf(turn, signal))
  }
  return sse(open, {
    fault,
    ageMs: streamAgeMs,
    until: frame.closing,
    headers: { ...turnHeaders(turn), ...headers },
    ...(timer && { timer }),
  })
}

/** Where to find what belongs to the answer, for whoever wants to know. */
export const turnHeaders = ({ kept, run }: Turn): Record<string, string> =>
  kept
    ? {
        'x-throughline-conversation': encodeURIComponent(run.conversation),
        'x-throughline-run': run.id,
        'x-throughline-receipt': receiptIdOf(run.id),
      }
    : {}
