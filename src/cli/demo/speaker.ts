/** Says what the script of the demo has next. It is no AI and does not claim to be one. */
import { type Model, ModelError, type ModelEvent, type ModelRequest, type Models } from '../../models/wire/contract.js'
import { booked, found, turns } from './script.js'

interface Speaker {
  readonly models: Models
  /** What the next request is answered with. */
  next(events: readonly ModelEvent[]): void
}

const id = 'demo/script'

export function demoSpeaker(): Speaker {
  let said: readonly ModelEvent[] = []
  const model = modelOf(() => said)
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

export const spokenWords = (text: string): readonly ModelEvent[] => [
  { type: 'text', text },
  { type: 'finish', reason: 'stop', usage: null },
]

const modelOf = (say: (request: ModelRequest) => readonly ModelEvent[]): Model => ({
  id,
  label: 'Demo script (no AI)',
  kind: 'builtin',
  // as an unknown model is assumed to be, so that its windows can be made again without it
  facts: { id, provider: 'unknown', family: 'unknown', window: 8_192, output: 2_048, scale: 1, source: 'assumed' },
  target: 'openai-chat',
  async *stream(request) {
    yield* say(request)
  },
})

/** A question of the demo that is asked again: what its script says, given what is in the window. */
const script = modelOf(({ items }) => {
  const asked = items.at(-1)?.text ?? ''
  const turn = turns.find(({ user }) => asked.includes(user)) ?? turns.at(-1)
  const isLast = turn === turns.at(-1)
  const isSeen = items.some(({ text }) => text.includes(booked))
  return spokenWords(isLast && isSeen ? found : (turn?.answer ?? ''))
})

/** The models of a service, and the script for whoever asks for it by its name; it is not offered. */
export const withScript = (models: Models): Models => ({
  get usual() {
    return models.usual
  },
  list: () => models.list(),
  find: async (asked) => (asked === id ? script : models.find(asked)),
  ...(models.upstream && { upstream: models.upstream }),
  ...(models.hop !== undefined && { hop: models.hop }),
})
