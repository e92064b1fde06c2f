/** Models that are watched: what they count, and how they fail. Nothing that is said passes through here. */
import type { Model, ModelEvent, ModelRequest, Models, Usage } from '../../models/wire/contract.js'
import { faultOf } from './fault.js'
import type { Telemetry } from './telemetry.js'

export const watchModels = (models: Models, telemetry: Telemetry): Models => ({
  ...models,
  // another may be chosen while the service runs
  get usual() {
    return models.usual
  },
  async find(id) {
    const model = await models.find(id)
    return { ...model, stream: (request) => streamed(model, request, telemetry) }
  },
})

async function* streamed(model: Model, request: ModelRequest, telemetry: Telemetry): AsyncGenerator<ModelEvent> {
  const { log, metrics, spans } = telemetry
  const end = spans.begin('model', { model: model.id })
  const began = performance.now()
  let usage: Usage | null = null
  try {
    for await (const event of model.stream(request)) {
      if (event.type === 'finish') usage = event.usage
      if (event.type === 'retry') {
        const { attempt, waitMs, code } = event
        metrics.modelErrors.add({ code })
        log({ level: 'warn', event: 'model-retried', model: model.id, attempt, wait_ms: waitMs, code })
      }
      yield event
    }
    end(factsOf(usage))
  } catch (error) {
    const fault = faultOf(error)
    // a reader who leaves is no fault of the model
    if (!request.signal.aborted) {
      const milliseconds = performance.now() - began
      metrics.modelErrors.add({ code: String(fault.code) })
      log({ level: 'warn', event: 'model-failed', model: model.id, ...fault, milliseconds })
    }
    end(fault)
    throw error
  } finally {
    for (const [direction, tokens] of Object.entries(countsOf(usage)))
      if (tokens > 0) metrics.modelTokens.add({ direction }, tokens)
  }
}

const countsOf = (usage: Usage | null) => ({
  input: usage?.input ?? 0,
  output: usage?.output ?? 0,
  cached: usage?.cached ?? 0,
})

const factsOf = (usage: Usage | null) => ({
  input_tokens: usage?.input ?? null,
  output_tokens: usage?.output ?? null,
  cached_tokens: usage?.cached ?? null,
})
