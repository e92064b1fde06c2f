/** A store that is watched: how long it takes, what fails, and what goes through it. */
import { HistoryError } from '../../core/message/issue.js'
import type { Step } from '../../store/contract/commit.js'
import type { Store } from '../../store/contract/store.js'
import { faultOf } from './fault.js'
import type { Metrics } from './metrics.js'
import type { Telemetry } from './telemetry.js'

type Call = (...given: unknown[]) => Promise<unknown>

/** Neither is a question that the store answers. */
const unwatched = new Set<string>(['watch', 'close'])
/** The others are refusals, which are the caller's. */
const failures = new Set(['storage_full', 'unavailable', 'newer_format'])

export function watchStore(store: Store, telemetry: Telemetry): Store {
  const { metrics, spans } = telemetry
  /** Runs that were begun in this process and have not ended in it. */
  const active = new Set<string>()
  const methods = Object.entries(store).map(([name, call]) => {
    if (unwatched.has(name) || typeof call !== 'function') return [name, call]
    const watched = timed(name, call as Call, telemetry)
    return [name, name === 'commit' ? committing(watched) : watched]
  })

  /** Nothing is counted that did not become durable. */
  function committing(commit: Call): Call {
    return async (workspace, conversation, steps) => {
      const end = spans.begin('commit', { steps: (steps as readonly Step[]).length })
      try {
        const done = (await commit(workspace, conversation, steps)) as { readonly repeated: boolean }
        if (!done.repeated) for (const step of steps as readonly Step[]) count(step, metrics, active)
        end()
        return done
      } catch (error) {
        end(faultOf(error))
        throw error
      }
    }
  }

  return Object.fromEntries(methods) as unknown as Store
}

function timed(method: string, call: Call, { metrics, log }: Telemetry): Call {
  const labels = { method }
  return async (...given) => {
    const began = performance.now()
    try {
      return await call(...given)
    } catch (error) {
      if (HistoryError.is(error) && !failures.has(error.code)) throw error
      const fault = faultOf(error)
      metrics.storeErrors.add({ code: String(fault.code) })
      log({ level: 'error', event: 'store-failed', ...fault, step: method })
      throw error
    } finally {
      metrics.storeSeconds.observe((performance.now() - began) / 1_000, labels)
    }
  }
}

function count(step: Step, metrics: Metrics, active: Set<string>): void {
  if (step.do === 'add-record') {
    const { sent = 0, saved = 0, reused = 0 } = step.record.numbers
    metrics.tokensSent.add({}, sent)
    metrics.tokensDropped.add({}, saved)
    metrics.tokensReused.add({}, reused)
  }
  if (step.do !== 'emit') return
  for (const { type, data } of step.events) {
    metrics.events.add({ type })
    const { run } = data as { readonly run?: { readonly id?: string } }
    if (type === 'run-started' && run?.id) active.add(run.id)
    if (type === 'run-ended' && run?.id) active.delete(run.id)
  }
  metrics.runsActive.set(active.size)
}
