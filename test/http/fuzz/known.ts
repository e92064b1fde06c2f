/** What the answers so far have told of, so that later requests can name it. */
import type { RouteFacts } from '../../../src/http/kit/route.js'
import { idsOf } from '../tenancy/matrix.js'

type Ids = Record<string, string[]>

export class Known {
  readonly #estates: { readonly conversation: string; readonly ids: Ids }[] = []

  /** Of things that no conversation has to be named for. */
  readonly #loose: Ids = { completion: [], memory: [] }

  /** The ids of a move: all of one conversation, or of nothing at all. */
  idsFor(route: RouteFacts, pick: number): Record<string, string> {
    const estate =
      this.#estates.length === 0 || pick % 10 === 9
        ? undefined
        : this.#estates.at(-1 - (pick % Math.min(3, this.#estates.length)))
    const choose = (kind: string): string => {
      if (kind === 'conversation') return estate?.conversation ?? 'nothing'
      const found = this.#loose[kind] ?? estate?.ids[kind] ?? []
      return found[pick % Math.max(1, found.length)] ?? 'nothing'
    }
    return Object.fromEntries(Object.entries(idsOf(route)).map(([place, kind]) => [place, choose(kind)]))
  }

  learn(route: RouteFacts, conversation: string | undefined, text: string): void {
    const body = JSON.parse(text) as Record<string, unknown> | null
    if (!body) return
    if (route.name === 'createConversation') this.#estates.push({ conversation: String(body.id), ids: {} })
    if (route.name === 'openaiChat') this.#loose.completion?.unshift(String(body.id))
    if (route.name === 'addMemory') this.#loose.memory?.unshift(String(body.id))
    const estate = this.#estates.find((one) => one.conversation === conversation)
    if (!estate) return
    const add = (kind: string, id: unknown): void => {
      if (typeof id !== 'string') return
      const ids = estate.ids[kind] ?? []
      ids.push(id)
      estate.ids[kind] = ids
    }
    for (const message of listIn(body.messages)) {
      add('message', message.id)
      if (message.role === 'assistant') add('answer', message.id)
    }
    if (route.name === 'forkBranch' || route.name === 'setBranch') add('branch', body.name)
    if (route.name === 'createShare') add('share', body.id)
    if (route.name === 'createShare') add('token', body.token)
    if (route.name === 'openaiListItems') for (const { id } of listIn(body.data)) add('item', id)
    if (route.name === 'openaiCreateResponse') add('response', body.id)
    const runs = [body.run, ...(route.name === 'listRuns' ? listIn(body.items) : [])] as (Record<
      string,
      unknown
    > | null)[]
    for (const run of runs) {
      add('run', run?.id)
      add('receipt', run?.receipt_id)
      add('answer', run?.message_id)
    }
  }
}

const listIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])
