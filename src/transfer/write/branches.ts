/** The branches of an imported tree: `main` is the path that was shown last, and every other leaf has a name that stays. */

export interface Linked {
  readonly id: string
  readonly parent: string | null
}

/**
 * The head of each branch, and the branch that each entry belongs to. A leaf's branch is named by the first entry that is
 * its own, so that it keeps its name when it grows. Entries come with parents before children.
 */
export function branchesOf(entries: readonly Linked[], head: string | null, mainName: string) {
  const parentOf = new Map(entries.map(({ id, parent }) => [id, parent]))
  const owner = new Map<string, string>()
  const heads = new Map<string, string>()
  const claim = (leaf: string, name: string | null): void => {
    const own: string[] = []
    let at: string | null = leaf
    while (at !== null && !owner.has(at) && parentOf.has(at)) {
      own.push(at)
      at = parentOf.get(at) ?? null
    }
    const top = own.at(-1)
    if (top === undefined) return
    const branch = name ?? `alt-${top.slice(0, 12)}`
    for (const id of own) owner.set(id, branch)
    heads.set(branch, leaf)
  }
  if (head !== null) claim(head, mainName)
  const parents = new Set(parentOf.values())
  for (const { id } of entries) if (!parents.has(id)) claim(id, null)
  return { heads, owner }
}
