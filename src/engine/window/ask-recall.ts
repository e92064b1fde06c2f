/** Asks for earlier messages that matter, once it is known what the window holds anyway. A failure costs no window. */

import type { Issue } from '../../core/message/issue.js'
import type { Policy } from '../../core/policy/schema.js'
import type { RecallShare } from '../../core/receipt/receipt.js'
import type { Assembled } from '../../core/window/assemble.js'
import { alwaysRoom, grantOf, type Recall, type Recalled } from '../../core/window/recall.js'
import type { Asked, Recaller, Room } from '../../recall/contract.js'
import type { Entry } from '../../store/contract/entry.js'
import { asMarks, marksOf } from './entries.js'

type Built = Extract<Assembled, { ok: true }>

type Said = Pick<Entry, 'id' | 'body' | 'text'> & Partial<Pick<Entry, 'redacted'>>

/** So many of the last messages are told to the recaller. */
const recently = 6

export async function askRecall(
  recaller: Recaller,
  make: (recall: Recall) => Assembled,
  built: Built,
  policy: Policy,
  entries: readonly Said[],
  asked: Omit<Asked, 'current' | 'recent' | 'past' | keyof Room>,
): Promise<Recall> {
  const answered = built.items.findLast(
    ({ role, fate }) => fate === 'current' || (role === 'user' && fate !== 'marker'),
  )
  const recent = entries.flatMap(({ id, body, text, redacted }) =>
    body.kind === 'message' && !redacted && id !== answered?.id ? [{ role: body.role, text }] : [],
  )
  try {
    const { items, warning, share } = await recaller({
      ...asked,
      current: answered?.text ?? '',
      recent: recent.slice(-recently),
      ...roomIn(built, policy, 'usual'),
      past: (share) => roomIn(make({ items: [], share }), policy, share),
    })
    const said = await allowed(asked, items)
    return { items: said, ...(share && { share }), ...(warning && { warning }) }
  } catch (error) {
    return { items: [], warning: failed(error) }
  }
}

/** Without what someone excluded in the conversation it is from; a memory was taken from its source on purpose. */
async function allowed({ store, workspace }: Pick<Asked, 'store' | 'workspace'>, items: readonly Recalled[]) {
  const said = items.filter(({ role }) => role !== 'memory')
  const talks = [...new Set(said.flatMap(({ conversation = [] }) => conversation))]
  const marks = await Promise.all(talks.map((conversation) => marksOf({ store, workspace, conversation })))
  const excluded = new Map(talks.map((talk, at) => [talk, new Set(asMarks(marks[at] ?? []).excluded)]))
  const isAllowed = ({ id, role, conversation = '' }: Recalled): boolean =>
    role === 'memory' || !excluded.get(conversation)?.has(id)
  return items.filter(isAllowed)
}

function roomIn(built: Assembled, policy: Policy, share: RecallShare): Room {
  if (!built.ok) return { inWindow: null, tokens: 0, always: 0 }
  const { tokens, free } = built.receipt.budget
  return {
    inWindow: tailOf(built),
    tokens: Math.max(0, grantOf(policy, share, tokens ?? Number.POSITIVE_INFINITY, free ?? 0)),
    always: alwaysRoom(policy, tokens ?? Number.POSITIVE_INFINITY),
  }
}

/** From here on nothing was left out. */
function tailOf({ receipt }: Built): number | null {
  const last = receipt.lines.findLast(
    ({ fate, stage }) => fate === 'summarised' || (fate === 'dropped' && stage === 'fit'),
  )
  return last ? last.to + 1 : 0
}

const failed = (error: unknown): Issue => ({
  code: 'recall.failed',
  field: 'recall',
  message: `nothing could be recalled: ${error instanceof Error ? error.message : String(error)}`,
})
