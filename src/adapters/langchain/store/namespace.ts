/** Namespaces of a LangGraph store: what a search looks through, and what is listed. */
import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph-checkpoint'

export type Namespace = readonly string[]

export const isUnder = (namespace: Namespace, prefix: Namespace): boolean =>
  prefix.length <= namespace.length && prefix.every((label, i) => namespace[i] === label)

/** Namespaces in order, each with those that it stands for once they are cut to a depth. */
export function listedNamespaces(all: readonly Namespace[], asked: ListNamespacesOperation): [string[], Namespace[]][] {
  const groups = new Map<string, [string[], Namespace[]]>()
  for (const namespace of all) {
    if (!(asked.matchConditions ?? []).every((condition) => matches(namespace, condition))) continue
    const shown = namespace.slice(0, asked.maxDepth ?? namespace.length)
    const group = groups.get(JSON.stringify(shown))
    if (group) group[1].push(namespace)
    else groups.set(JSON.stringify(shown), [shown, [namespace]])
  }
  return [...groups.values()].sort(([one], [other]) => compare(one, other))
}

function matches(namespace: Namespace, { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length
  return path.every((label, i) => label === '*' || label === namespace[from + i])
}

function compare(one: Namespace, other: Namespace): number {
  const at = one.findIndex((label, i) => label !== other[i])
  if (at < 0) return one.length - other.length
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1
}
