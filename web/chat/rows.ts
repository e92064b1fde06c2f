/** The messages that are shown as such, and what is known of each. */
import { useMemo } from 'react'
import type { KeptReceipt, Message } from '../../src/client/index.js'
import { fatesOf, type Sort, sortOf } from '../fates.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { treeOf, versionsOf } from './tree.js'

export type Result = Extract<Message, { readonly kind: 'result' }>

const isRow = ({ kind }: Message): boolean => kind === 'message' || kind === 'summary'

export function useRows() {
  const { messages, nodes, receipt } = useBox(useScreen().chat.state)
  const rows = useMemo(() => messages?.filter(isRow) ?? null, [messages])
  const results = useMemo(
    () =>
      new Map(
        (messages ?? []).flatMap((one) => (one.kind === 'result' ? [[one.call_id, one] as const] : [])),
      ) as ReadonlyMap<string, Result>,
    [messages],
  )
  const tree = useMemo(() => treeOf(nodes), [nodes])
  const versions = useMemo(
    () => remembered((parent: string | null) => versionsOf(tree, parent).map(({ id }) => id)),
    [tree],
  )
  const answer = useMemo(() => messages?.find(({ id }) => id === receipt?.message_id), [messages, receipt])
  const sort = useMemo(() => {
    if (!receipt || !answer) return () => null
    const fates = fatesOf(receipt)
    return remembered((message: Message): Sort | null => sortOf(message, answer, receipt, fates))
  }, [receipt, answer])
  const horizon = useMemo(() => {
    if (!receipt || !answer || !messages) return null
    const less = receipt.receipt.lines.filter(isBefore)
    const depth = Math.max(-1, ...less.map(({ to }) => to))
    const after = messages.findLast((message) => message.depth <= depth && isRow(message))
    return after ? { after: after.id, count: less.reduce((sum, { from, to }) => sum + to - from + 1, 0) } : null
  }, [receipt, answer, messages])
  return { rows, results, sort, horizon, versions: (message: Message) => versions(message.parent_id) }
}

type Line = KeptReceipt['receipt']['lines'][number]

/** Left outside because the window begins later, not because of what it is. */
const isBefore = ({ fate, stage, rule }: Line): boolean =>
  stage === 'fit' && (fate === 'dropped' || fate === 'summarised') && rule !== 'mark.excluded'

/** The same answer to the same question. */
function remembered<Key, Value>(ask: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, ask(key))
    return known.get(key) as Value
  }
}
