/** LangGraph's long-term store on ours. */
import {
  BaseStore,
  type IndexConfig,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import { type Base, type DeskOptions, deskOf } from '../../desk.js'
import { type FoundItem, getItem, isEmpty, namespaceItems, namespacesOf, putItem, removeItem } from './items.js'
import { isUnder, listedNamespaces } from './namespace.js'
import { vectorNearness, vectorsOf } from './vectors.js'

/** Where long-term memory is kept, and how it is found. */
export interface GraphStoreOptions extends DeskOptions {
  /** Finds by meaning, with the embeddings that you give; without it a query sorts nothing. */
  readonly index?: IndexConfig
}

/** Long-term memory for LangGraph. @example graph.compile({ store: graphStore({ store }) }) */
export const graphStore = (options: GraphStoreOptions): BaseStore => new GraphStore(options)

/** A class, because LangGraph's contract is one. */
class GraphStore extends BaseStore {
  readonly #desk: Base
  readonly #index: IndexConfig | undefined

  constructor(options: GraphStoreOptions) {
    super()
    this.#desk = deskOf(options)
    this.#index = options.index
  }

  /** What is read is as it was before anything of the batch is written; of two writes to one key, the later counts. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = []
    const puts = new Map<string, PutOperation>()
    for (const operation of operations) {
      if ('value' in operation) puts.set(JSON.stringify([operation.namespace, operation.key]), operation)
      results.push('value' in operation ? null : await this.#read(operation))
    }
    for (const put of puts.values()) await this.#write(put)
    return results as OperationResults<Op>
  }

  #read(operation: Exclude<Operation, PutOperation>): Promise<Item | SearchItem[] | string[][] | null> {
    if ('namespacePrefix' in operation) return this.#find(operation)
    if ('key' in operation) return getItem(this.#desk, operation.namespace, operation.key)
    return this.#names(operation)
  }

  async #write({ namespace, key, value, index }: PutOperation): Promise<void> {
    if (value === null) return removeItem(this.#desk, namespace, key)
    const vectors = this.#index ? await vectorsOf(this.#index, value, index) : []
    await putItem(this.#desk, namespace, key, value, vectors)
  }

  async #find({ namespacePrefix, filter, query, offset = 0, limit = 10 }: SearchOperation): Promise<SearchItem[]> {
    const found: FoundItem[] = []
    for (const namespace of await namespacesOf(this.#desk)) {
      if (!isUnder(namespace, namespacePrefix)) continue
      for await (const one of namespaceItems(this.#desk, namespace)) if (passes(one.item.value, filter)) found.push(one)
    }
    const items = this.#index && query ? await nearest(found, query, this.#index) : newest(found)
    return items.slice(offset, offset + limit)
  }

  async #names(asked: ListNamespacesOperation): Promise<string[][]> {
    const names: string[][] = []
    const most = (asked.offset ?? 0) + (asked.limit ?? Number.POSITIVE_INFINITY)
    for (const [name, all] of listedNamespaces(await namespacesOf(this.#desk), asked)) {
      if (names.length >= most) break
      const empty = await Promise.all(all.map((namespace) => isEmpty(this.#desk, namespace)))
      if (empty.includes(false)) names.push(name)
    }
    return names.slice(asked.offset ?? 0)
  }
}

/** The last that changed comes first. */
const newest = (found: readonly FoundItem[]): SearchItem[] =>
  found.map(({ item }) => item).sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())

/** The nearest comes first; what has no vectors, last. */
async function nearest(found: readonly FoundItem[], query: string, { embeddings }: IndexConfig): Promise<SearchItem[]> {
  const to = await embeddings.embedQuery(query)
  const scored = found.map(({ item, vectors }): SearchItem => {
    const score = vectorNearness(vectors, to)
    return score === undefined ? item : { ...item, score }
  })
  return scored.sort((one, other) => (other.score ?? -2) - (one.score ?? -2))
}

/** Which items a search means, by LangGraph's operators. */
type Test = (value: unknown, asked: unknown) => boolean

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['$eq', (value, asked) => value === asked],
  ['$ne', (value, asked) => value !== asked],
  ['$gt', (value, asked) => Number(value) > Number(asked)],
  ['$gte', (value, asked) => Number(value) >= Number(asked)],
  ['$lt', (value, asked) => Number(value) < Number(asked)],
  ['$lte', (value, asked) => Number(value) <= Number(asked)],
  ['$in', (value, asked) => Array.isArray(asked) && asked.includes(value)],
  ['$nin', (value, asked) => !Array.isArray(asked) || !asked.includes(value)],
])

const passes = (value: Readonly<Record<string, unknown>>, filter: Readonly<Record<string, unknown>> = {}): boolean =>
  Object.entries(filter).every(([name, asked]) => passesOne(value[name], asked))

function passesOne(value: unknown, asked: unknown): boolean {
  const asks = typeof asked === 'object' && asked !== null ? Object.entries(asked) : []
  if (asks.length === 0 || !asks.every(([operator]) => tests.has(operator))) return value === asked
  return asks.every(([operator, operand]) => tests.get(operator)?.(value, operand))
}
