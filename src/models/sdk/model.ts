/** A model behind an AI SDK provider. The SDK writes the request and reads the words; whether all is well, we judge. */
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { capped } from '../wire/capped.js'
import { type Model, ModelError, type ModelEvent, type ModelRequest } from '../wire/contract.js'
import type { Fetch, Line } from '../wire/dial.js'
import { fault } from '../wire/fault.js'
import type { ReceiveLimits } from '../wire/receive.js'
import { wires } from '../wire/wires.js'
import { type CallSettings, callOf, prefixOf } from './call.js'
import { mapper } from './events.js'
import { watch } from './watch.js'

export interface SdkSettings extends CallSettings {
  readonly label: string
  readonly kind: 'local' | 'hosted'
  readonly issuer?: string
  /** Opens the SDK's model with the given `fetch`. */
  readonly open: (fetch: Fetch) => Promise<LanguageModelV3>
  readonly limits: ReceiveLimits
  readonly line: Omit<Line, 'who'>
}

export function sdkModel(settings: SdkSettings): Model {
  const { id, label, kind, facts, wire, profile, issuer, limits } = settings
  return {
    id,
    label,
    kind,
    facts,
    target: wire,
    ...(profile && { profile }),
    ...(issuer && { issuer }),
    stream: (request) => capped(id, streamOf(settings, request), limits.answerBytes),
    write: (request) => written(settings, request),
  }
}

async function written(settings: SdkSettings, request: ModelRequest): Promise<string> {
  let body = ''
  const model = await settings.open(async (_, init) => {
    body = String(init?.body)
    throw fault('cut', settings.id)
  })
  await Promise.allSettled([model.doStream(callOf(settings, request, request.signal))])
  return body
}

async function* streamOf(settings: SdkSettings, request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { id, wire, issuer, limits } = settings
  const { signal } = request
  signal.throwIfAborted()
  const own = new AbortController()
  const watched = watch({ ...settings.line, who: id }, wires[wire], limits)
  try {
    const model = await settings.open(watched.fetch)
    const { stream } = await model.doStream(callOf(settings, request, AbortSignal.any([signal, own.signal])))
    const map = mapper(id)
    const bond = { ...prefixOf(settings, request), ...(issuer && { issuer }) }
    for await (const part of stream) {
      signal.throwIfAborted()
      const broken = watched.fault()
      // at a broken stream the SDK closes what was open, as if it were whole
      if (broken && (part.type === 'tool-call' || part.type === 'error' || part.type === 'finish')) throw broken
      for (const event of map(part))
        yield event.type === 'thought' ? { ...event, part: { ...event.part, ...bond } } : event
      if (part.type === 'finish') return
    }
    throw watched.fault() ?? fault('cut', id)
  } catch (error) {
    signal.throwIfAborted()
    throw watched.fault() ?? (ModelError.is(error) ? error : fault('garbled', id, error))
  } finally {
    own.abort()
  }
}
