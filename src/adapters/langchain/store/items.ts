/** Items of a LangGraph store as records: those of a namespace under a kind of their own, so that a search reads no others. */
import type { SearchItem } from '@langchain/langgraph-checkpoint'
import type { StoredRecord } from '../../../store/contract/record.js'
import { type Base, keyOf, shelf } from '../../desk.js'
import type { Namespace } from './namespace.js'

/** The value is kept as the text it is in JSON, which any store takes whatever the value says. */
interface Body {
  readonly namespace: Namespace
  readonly key: string
  readonly value: string
  readonly vectors?: readonly (readonly number[])[]
}

export interface FoundItem {
  readonly item: SearchItem
  readonly vectors: readonly (readonly number[])[]
}

const namespaces = 'graph-namespace'
const kindOf = (namespace: Namespace): string => `graph-item/${keyOf(...namespace)}`

export async function getItem(desk: Base, namespace: Namespace, key: string): Promise<SearchItem | null> {
  const record = await desk.store.getRecord(desk.workspace, kindOf(namespace), keyOf(key))
  return record ? foundIn(record).item : null
}

/** The namespace is named first: an empty one is no harm, an item that no search comes to would be one. */
export async function putItem(
  { store, workspace, env }: Base,
  namespace: Namespace,
  key: string,
  value: unknown,
  vectors: readonly (readonly number[])[],
): Promise<void> {
  const at = env.now()
  if (!(await store.getRecord(workspace, namespaces, keyOf(...namespace))))
    await store.putRecord(workspace, { kind: namespaces, id: keyOf(...namespace), body: { namespace }, at })
  const body: Body = { namespace, key, value: JSON.stringify(value), ...(vectors.length > 0 && { vectors }) }
  await store.putRecord(workspace, { kind: kindOf(namespace), id: keyOf(key), body, at })
}

export const removeItem = ({ store, workspace }: Base, namespace: Namespace, key: string): Promise<void> =>
  store.removeRecord(workspace, kindOf(namespace), keyOf(key))

export async function namespacesOf(desk: Base): Promise<Namespace[]> {
  const found: Namespace[] = []
  for await (const { body } of shelf(desk, namespaces)) found.push((body as Pick<Body, 'namespace'>).namespace)
  return found
}

export async function isEmpty({ store, workspace }: Base, namespace: Namespace): Promise<boolean> {
  return (await store.records(workspace, { kind: kindOf(namespace), limit: 1 })).items.length === 0
}

export async function* namespaceItems(desk: Base, namespace: Namespace): AsyncGenerator<FoundItem> {
  for await (const record of shelf(desk, kindOf(namespace))) yield foundIn(record)
}

function foundIn({ body, createdAt, updatedAt }: StoredRecord): FoundItem {
  const { namespace, key, value, vectors = [] } = body as Body
  const times = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
  return { item: { namespace: [...namespace], key, value: JSON.parse(value), ...times }, vectors }
}
