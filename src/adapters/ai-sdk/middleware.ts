/** A window before each call of a model: `wrapLanguageModel({ model, middleware: windowMiddleware() })`. */

import type { Receipt } from '../../core/receipt/receipt.js'
import { createMemo } from '../../core/window/memo.js'
import { modelIdOf } from './prepare-step.js'
import { type CallWindowOptions, callWindow, type ModelMessage } from './window.js'

interface Call {
  readonly prompt: readonly unknown[]
  readonly tools?: readonly unknown[] | undefined
  readonly maxOutputTokens?: number | undefined
}

/** The name of ours in `providerMetadata`. */
const own = 'throughline'

/**
 * Makes a window of each call's prompt, with what was recalled of the rest; its tools and the tokens of its answer are
 * counted, too.
 *
 * @example
 * ```ts
 * const model = wrapLanguageModel({ model: openai('gpt-4o'), middleware: windowMiddleware({ history, budget: 8_000 }) })
 * ```
 *
 * The receipt of each window is in `providerMetadata.throughline.receipt`.
 */
export function windowMiddleware(options: CallWindowOptions = {}) {
  const memo = createMemo()
  const receipts = new WeakMap<object, Receipt>()
  const told = <T>(params: object, result: T): T => {
    const receipt = receipts.get(params)
    const before = (result as { readonly providerMetadata?: object }).providerMetadata
    return receipt ? { ...result, providerMetadata: { ...before, [own]: { receipt } } } : result
  }
  return {
    specificationVersion: 'v3' as const,
    async transformParams<P extends Call>({ params, model }: { params: P; model?: unknown }): Promise<P> {
      const prompt = params.prompt as readonly ModelMessage[]
      const { tools, maxOutputTokens: output } = params
      const counted = { ...(tools && { tools }), ...(output === undefined ? null : { output }) }
      const { messages, receipt } = await callWindow(prompt, { memo, ...modelIdOf(model), ...counted, ...options })
      const changed = { ...params, prompt: messages }
      receipts.set(changed, receipt)
      return changed
    },
    async wrapGenerate<R>({ doGenerate, params }: { doGenerate: () => PromiseLike<R>; params: object }): Promise<R> {
      return told(params, await doGenerate())
    },
    async wrapStream<T, R extends { stream: ReadableStream<T> }>({
      doStream,
      params,
    }: {
      doStream: () => PromiseLike<R>
      params: object
    }): Promise<R> {
      const { stream, ...rest } = await doStream()
      const ended = new TransformStream<T, T>({
        transform(part, controller) {
          controller.enqueue((part as { readonly type?: string }).type === 'finish' ? told(params, part) : part)
        },
      })
      return { ...rest, stream: stream.pipeThrough(ended) } as unknown as R
    },
  }
}
