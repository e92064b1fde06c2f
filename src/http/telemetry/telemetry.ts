/** Logs, numbers and traces of one server. */
import type { WindowEvent } from '../../engine/event.js'
import type { Run } from '../../runs/contract.js'
import type { RunsOptions } from '../../runs/floor.js'
import type { Log } from '../kit/context.js'
import { type Metrics, openMetrics } from './metrics.js'
import { noSpans, type Spans } from './spans.js'

export interface Telemetry {
  readonly log: Log
  readonly metrics: Metrics
  readonly spans: Spans
}

export const openTelemetry = (log: Log, spans: Spans = noSpans): Telemetry => ({ log, metrics: openMetrics(), spans })

/** Told of each window: specification 4's event, as it is. */
export function toldOfWindows({ log, spans, metrics }: Telemetry): (event: WindowEvent) => void {
  return (made) => {
    log({ level: 'info', ...made })
    metrics.windows.add()
    spans.begin('window', { conversation: made.session_id }, made.milliseconds)()
  }
}

/** Told of each summary that was written on this server, or refused: those leave a line and a number. */
export function toldOfSummaries({ log, metrics }: Telemetry): NonNullable<RunsOptions['summarised']> {
  return (outcome, { workspace, conversation }) => {
    const cause = outcome.state === 'refused' ? outcome.cause : 'none'
    metrics.summaries.add({ state: outcome.state, cause })
    const { attempts } = outcome
    if (outcome.state === 'refused')
      log({ level: 'warn', event: 'context_compression_failed', workspace, session_id: conversation, cause, attempts })
  }
}

/** Told of each run that ends on this server. */
export function toldOfRuns({ log, metrics }: Telemetry): (run: Run, workspace: string) => void {
  return (run, workspace) => {
    metrics.runs.add({ state: run.state })
    log({
      level: run.state === 'failed' ? 'warn' : 'info',
      event: 'run-ended',
      workspace,
      conversation: run.conversation,
      run: run.id,
      state: run.state,
      model: run.model,
      policy: run.policy,
      finish: run.finish,
      code: run.error?.code ?? null,
      input_tokens: run.usage?.input ?? null,
      output_tokens: run.usage?.output ?? null,
      drift: run.drift,
      milliseconds: run.endedAt === null ? null : Date.parse(run.endedAt) - Date.parse(run.startedAt),
    })
  }
}
