/** A window before each step: `streamText({ prepareStep: prepareStep({ policy: 'balanced' }) })`. */
import { createMemo } from '../../core/window/memo.js'
import { type ModelMessage, type WindowOptions, windowOf } from './window.js'

interface StepOptions<M> {
  readonly messages: readonly M[] | M[]
  readonly model?: unknown
}

export function prepareStep(options: WindowOptions = {}) {
  const memo = createMemo()
  return async <M extends ModelMessage>({ messages, model }: StepOptions<M>): Promise<{ messages: M[] }> => {
    const made = windowOf(messages, { memo, ...modelIdOf(model), ...options })
    return { messages: made.messages }
  }
}

/** A model is its own id, or has one. */
export function modelIdOf(model: unknown): { readonly model?: string } {
  if (typeof model === 'string') return { model }
  const id = typeof model === 'object' && model !== null && 'modelId' in model ? model.modelId : undefined
  return typeof id === 'string' ? { model: id } : {}
}
