import { findModel } from '../core/tokens/models.js'
import type { Model, ModelEvent, ModelRequest, Models } from '../models/wire/contract.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import type { Run, RunRequest } from './contract.js'
import type { RunsOptions } from './floor.js'
import { openRuns } from './runs.js'

export type Script = (request: ModelRequest, call: number) => AsyncIterable<ModelEvent>

export const finish: ModelEvent = { type: 'finish', reason: 'stop', usage: { input: 10, output: 2 } }

/** A model that says one thing, in words. */
export const saying = (text: string): Script =>
  async function* () {
    for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word }
    yield finish
  }

export function modelsOf(script: Script, requests: ModelRequest[] = []): Models {
  const model: Model = {
    id: 'test/scripted',
    label: 'scripted',
    kind: 'builtin',
    facts: { ...findModel('gpt-4o'), id: 'test/scripted' },
    target: 'openai-chat',
    stream(request) {
      requests.push(request)
      return script(request, requests.length - 1)
    },
  }
  return { usual: model.id, list: async () => [], find: async () => model }
}

export const place = { workspace: 'w', conversation: 'c' } as const

export function stage(script: Script, more: Partial<RunsOptions> & { readonly store?: Store } = {}) {
  const requests: ModelRequest[] = []
  const store = more.store ?? memoryStore()
  const runs = openRuns({ ...more, store, models: modelsOf(script, requests) })
  const say = async (message: string, request: Partial<RunRequest> = {}): Promise<Run> =>
    (await runs.start({ ...place, message, ...request })).ended
  const path = async (branch = 'main') => {
    const head = (await store.branches('w', 'c')).find(({ name }) => name === branch)?.head
    return head ? store.path('w', 'c', head) : []
  }
  const texts = async (branch?: string) => (await path(branch)).map(({ text }) => text)
  const events = async (): Promise<readonly StoredEvent[]> => (await store.events('w', 'c', 0, 1_000)).events
  return { store, runs, requests, say, path, texts, events }
}

/** Something to wait for, and the way to let it happen. */
export function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
