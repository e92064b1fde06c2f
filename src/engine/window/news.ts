/** What those who follow a conversation are told of its log: names only, the words are read from the log. */
import type { Step } from '../../store/contract/commit.js'
import type { NewEntry } from '../../store/contract/entry.js'
import type { NewEvent } from '../../store/contract/event.js'

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

/** What people think of an entry has changed. */
export const entryMarked = (entry: string): NewEvent => ({ type: 'entry-marked', data: { entry } })

/** The news of steps that change the log, to be told in the same commit. */
export const newsOf = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step): Step[] => {
    if (step.do === 'append') {
      const { entries, options } = step
      return [{ do: 'emit', events: [entryAdded(entries, options.branch)], at: options.at }]
    }
    if (step.do !== 'set-branch') return []
    return [{ do: 'emit', events: [branchMoved(step.move.name, step.move.head)], at: step.move.at }]
  })
