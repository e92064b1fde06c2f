/** A window before each step: `streamText({ prepareStep: prepareStep({ policy: 'balanced' }) })`. */
import { createMemo } from '../../core/window/memo.js'
import { type CallWindowOptions, callWindow, type ModelMessage } from './window.js'

interface StepOptions<M> {
  readonly messages: readonly M[] | M[]
  readonly model?: unknown
  /** What the SDK sends beside the messages: version 7 says so to each step. */
  readonly instructions?: unknown
}

/**
 * Makes a window of the messages before each step, with what was recalled of the rest; the instructions are counted, too.
 *
 * @example
 * ```ts
 * await generateText({ model, instructions, messages, prepareStep: prepareStep({ history, budget: 8_000 }) })
 * ```
 */
export function prepareStep(options: CallWindowOptions = {}) {
  const memo = createMemo()
  return async <M extends ModelMessage>({
    messages,
    model,
    instructions,
  }: StepOptions<M>): Promise<{ messages: M[] }> => {
    const made = await callWindow(messages, { memo, ...modelIdOf(model), ...saidBeside(instructions), ...options })
    return { messages: made.messages }
  }
}

/** A text, a system message, or a list of them. */
function saidBeside(instructions: unknown): { readonly system?: string } {
  const all = Array.isArray(instructions) ? instructions : [instructions]
  const texts = all.flatMap((one: unknown) => {
    const text = typeof one === 'object' && one !== null && 'content' in one ? one.content : one
    return typeof text === 'string' ? [text] : []
  })
  return texts.length > 0 ? { system: texts.join('\n\n') } : {}
}

/** A model is its own id, or has one. */
export function modelIdOf(model: unknown): { readonly model?: string } {
  if (typeof model === 'string') return { model }
  const id = typeof model === 'object' && model !== null && 'modelId' in model ? model.modelId : undefined
  return typeof id === 'string' ? { model: id } : {}
}
