/** What those who follow a conversation are told of its log: names only, the words are read from the log. */
import type { NewEvent } from '../store/contract.js'
import type { NewEntry } from '../store/entry.js'

export const entryAdded = (entries: readonly NewEntry[], branch: string): NewEvent => ({
  type: 'entry-added',
  data: {
    branch,
    head: entries.at(-1)?.id ?? null,
    entries: entries.map(({ id, body }) => ({ id, kind: body.kind, role: body.kind === 'message' ? body.role : null })),
  },
})

export const branchMoved = (branch: string, head: string | null): NewEvent => ({
  type: 'branch-moved',
  data: { branch, head },
})
