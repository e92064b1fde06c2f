/** Says what the script of the demo has next. It is no AI and does not claim to be one. */
import { type Model, ModelError, type ModelEvent, type Models } from '../../models/wire/contract.js'

export interface Speaker {
  readonly models: Models
  /** What the next request is answered with. */
  next(events: readonly ModelEvent[]): void
}

const id = 'demo/script'

export function speakerOf(): Speaker {
  let said: readonly ModelEvent[] = []
  const model: Model = {
    id,
    label: 'Demo script (no AI)',
    kind: 'builtin',
    // as an unknown model is assumed to be, so that its windows can be made again without it
    facts: { id, provider: 'unknown', family: 'unknown', window: 8_192, output: 2_048, scale: 1, source: 'assumed' },
    target: 'openai-chat',
    async *stream() {
      yield* said
    },
  }
  return {
    models: {
      usual: id,
      list: async () => [],
      async find(asked = id) {
        if (asked === id) return model
        throw new ModelError('unknown_model', `there is only ${id}`)
      },
    },
    next(events) {
      said = events
    },
  }
}

export const words = (text: string): readonly ModelEvent[] => [
  { type: 'text', text },
  { type: 'finish', reason: 'stop', usage: null },
]
