/** A model that says what a test wrote down for it. */
import type { ModelFacts } from '../core/tokens/models.js'
import type { Model, ModelEvent, ModelRequest } from '../models/wire/contract.js'

/** One answer: its words, or its events; an error in place of an event is thrown there. */
type ScriptedAnswer = string | Error | readonly (ModelEvent | Error)[]

/** What happens at one request. */
export type ScriptedTurn =
  | ScriptedAnswer
  | ((request: ModelRequest, turn: number) => ScriptedAnswer | Promise<ScriptedAnswer> | AsyncIterable<ModelEvent>)

/** A model that says what the test wrote, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/**
 * Answers the first request with the first entry, and so on; more requests than entries are an error of the test.
 * @example const model = scriptedModel(['Hello', 'Goodbye'])
 */
export function scriptedModel(
  script: readonly ScriptedTurn[],
  more: Partial<Omit<Model, 'stream' | 'facts'>> & { readonly facts?: Partial<ModelFacts> } = {},
): ScriptedModel {
  const requests: ModelRequest[] = []
  const { facts, ...rest } = more
  const id = more.id ?? 'scripted/model'
  return {
    id,
    label: 'Scripted model',
    kind: 'local',
    target: 'openai-chat',
    ...rest,
    facts: {
      id,
      provider: 'scripted',
      family: 'o200k',
      window: 128_000,
      output: 4_096,
      scale: 1,
      source: 'catalog',
      ...facts,
    },
    requests,
    async *stream(request) {
      const turn = requests.push(request) - 1
      const entry = script[turn]
      if (entry === undefined)
        throw new Error(`the script has ${script.length} answers, and this is request ${turn + 1}`)
      const said = await (typeof entry === 'function' ? entry(request, turn) : entry)
      for await (const event of eventsOf(said)) {
        request.signal.throwIfAborted()
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
}

function eventsOf(
  said: ScriptedAnswer | AsyncIterable<ModelEvent>,
): AsyncIterable<ModelEvent> | Iterable<ModelEvent | Error> {
  if (said instanceof Error) return [said]
  if (typeof said !== 'string') return said
  const words = said.match(/\s*\S+/g) ?? []
  return [
    ...words.map((text): ModelEvent => ({ type: 'text', text })),
    { type: 'finish', reason: 'stop', usage: { input: 0, output: words.length } },
  ]
}
