/** The tree of a conversation: versions, branches, forks. */
import type { Branch, TreeNode } from '../../src/client/index.js'

export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>
  /** In the order they were said; null is the beginning. */
  readonly children: ReadonlyMap<string | null, readonly TreeNode[]>
}

export function treeOf(nodes: readonly TreeNode[]): Tree {
  const children = new Map<string | null, TreeNode[]>()
  for (const node of nodes) {
    const beside = children.get(node.parent_id)
    if (beside) beside.push(node)
    else children.set(node.parent_id, [node])
  }
  return { nodes: new Map(nodes.map((node) => [node.id, node])), children }
}

/** A message and all that stands in its place on other branches; notes are nobody's version. */
export const versionsOf = ({ children }: Tree, parent: string | null): readonly TreeNode[] =>
  (children.get(parent) ?? []).filter(({ kind }) => kind === 'message')

/** The branch that was last moved among those that go through a message. */
export function branchThrough(tree: Tree, branches: readonly Branch[], node: string): Branch | null {
  const through = branches.filter(({ head_id }) => head_id !== null && goesThrough(tree, head_id, node))
  return through.sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1))[0] ?? null
}

function goesThrough({ nodes }: Tree, head: string, node: string): boolean {
  const depth = nodes.get(node)?.depth ?? 0
  let at = nodes.get(head)
  while (at && at.depth > depth) at = at.parent_id === null ? undefined : nodes.get(at.parent_id)
  return at?.id === node
}

/** The newest end below a message. */
export function newestBelow({ children }: Tree, node: string): string {
  let at = node
  for (;;) {
    const next = children.get(at)?.at(-1)
    if (!next) return at
    at = next.id
  }
}

/** The last message that two paths have in common; null where they part at the beginning. */
export function forkOf({ nodes }: Tree, one: string | null, other: string | null): string | null {
  let left = one === null ? undefined : nodes.get(one)
  let right = other === null ? undefined : nodes.get(other)
  const up = (node: TreeNode): TreeNode | undefined => (node.parent_id === null ? undefined : nodes.get(node.parent_id))
  while (left && right && left.id !== right.id) {
    if (left.depth >= right.depth) left = up(left)
    else right = up(right)
  }
  return left && right ? left.id : null
}

/** Messages that follow each other without a fork, as one line of the tree. */
export interface Stretch {
  readonly nodes: readonly TreeNode[]
  readonly level: number
  /** Branches that end in it. */
  readonly branches: readonly Branch[]
}

export function stretchesOf(tree: Tree, branches: readonly Branch[]): readonly Stretch[] {
  const ends = new Map<string, Branch[]>()
  for (const branch of branches)
    if (branch.head_id !== null) ends.set(branch.head_id, [...(ends.get(branch.head_id) ?? []), branch])
  const found: Stretch[] = []
  const waiting = [...(tree.children.get(null) ?? [])].reverse().map((node) => ({ node, level: 0 }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const nodes = [next.node]
    let below = tree.children.get(next.node.id) ?? []
    while (below.length === 1) {
      nodes.push(below[0] as TreeNode)
      below = tree.children.get((below[0] as TreeNode).id) ?? []
    }
    found.push({ nodes, level: next.level, branches: nodes.flatMap(({ id }) => ends.get(id) ?? []) })
    for (const node of [...below].reverse()) waiting.push({ node, level: next.level + 1 })
  }
  return found
}

/** A short name that no branch has yet: `edit-2`. */
export function freeName(kind: string, branches: readonly Branch[]): string {
  const taken = new Set(branches.map(({ name }) => name))
  let number = 2
  while (taken.has(`${kind}-${number}`)) number++
  return `${kind}-${number}`
}
