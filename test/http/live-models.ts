/** Models that do as they are told, beside the built-in one. */
import { findModel } from '../../src/core/tokens/models.js'
import { extractive } from '../../src/models/builtin/answer.js'
import {
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type Models,
} from '../../src/models/wire/contract.js'

type Script = (request: ModelRequest) => AsyncIterable<ModelEvent>

export interface ScriptedModel extends Model {
  /** What it was asked, in order, titles aside. */
  readonly asked: ModelRequest[]
}

export function scripted(script: Script, id = 'test/scripted'): ScriptedModel {
  const asked: ModelRequest[] = []
  return {
    id,
    label: 'Scripted',
    kind: 'local',
    facts: findModel('gpt-4o'),
    target: 'openai-chat',
    asked,
    stream(request) {
      if (wantsTitle(request)) return entitled()
      asked.push(request)
      return script(request)
    },
  }
}

/** A conversation's title is asked for on the side, and is nothing to a script. */
const wantsTitle = ({ items }: ModelRequest): boolean =>
  items.at(-1)?.text.startsWith('Give this conversation a title') ?? false

async function* entitled(): AsyncGenerator<ModelEvent> {
  yield { type: 'text', text: 'A title' }
  yield { type: 'finish', reason: 'stop', usage: null }
}

/** Says it word by word. */
export const saying = (text: string | ((request: ModelRequest) => string), id?: string): ScriptedModel =>
  scripted(async function* (request) {
    const said = typeof text === 'string' ? text : text(request)
    for (const part of said.match(/\s*\S+/g) ?? []) yield { type: 'text', text: part }
    yield { type: 'finish', reason: 'stop', usage: { input: 10, output: 5 } }
  }, id)

export const failing = (error: ModelError, before = ''): ScriptedModel =>
  scripted(async function* () {
    if (before !== '') yield { type: 'text', text: before }
    throw error
  })

/** Says a word whenever it is let; ends when it is told to. */
export function gated(id?: string): {
  readonly model: ScriptedModel
  say(text: string): void
  end(): void
  readonly aborted: Promise<void>
} {
  const queue: ModelEvent[] = []
  let wake = (): void => {}
  let abort = (): void => {}
  const aborted = new Promise<void>((resolve) => {
    abort = resolve
  })
  const model = scripted(async function* ({ signal }) {
    signal.addEventListener('abort', () => {
      abort()
      wake()
    })
    for (;;) {
      signal.throwIfAborted()
      const next = queue.shift()
      if (next) {
        yield next
        if (next.type === 'finish') return
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }, id)
  const push = (event: ModelEvent): void => {
    queue.push(event)
    wake()
  }
  return {
    model,
    say: (text) => push({ type: 'text', text }),
    end: () => push({ type: 'finish', reason: 'stop', usage: null }),
    aborted,
  }
}

/** The given ones, the first of them usual, and the built-in one. */
export function modelsOf(...models: readonly Model[]): Models {
  const all = [...models, extractive]
  return {
    usual: (models[0] ?? extractive).id,
    list: async () => all.map(({ id, label, kind, facts }) => ({ id, label, kind, window: facts.window, ready: true })),
    async find(id) {
      const found = id === undefined ? all[0] : all.find((model) => model.id === id)
      if (!found) throw new ModelError('unknown_model', `there is no model ${id}`)
      return found
    },
  }
}
