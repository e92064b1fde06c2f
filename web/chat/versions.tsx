/** The versions of a message: which one is shown, on which branch, and the way to the others. */
import { useMemo } from 'react'
import type { Message } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { branchThrough, treeOf } from './tree.js'

export function Versions({ message, versions }: { readonly message: Message; readonly versions: readonly string[] }) {
  const { chat, actions, open } = useScreen()
  const { nodes, branches } = useBox(chat.state)
  const at = versions.indexOf(message.id)
  const other = versions[at === 0 ? 1 : at - 1]
  const tree = useMemo(() => treeOf(nodes), [nodes])
  const against = other === undefined ? null : (branchThrough(tree, branches, other)?.name ?? null)
  if (at < 0) return null
  const show = (index: number) => () => void actions.show(versions[index] as string).catch(() => {})
  return (
    <nav className="versions" aria-label={words.versions}>
      <button
        type="button"
        className="square"
        data-does="before"
        aria-label={words.before}
        disabled={at === 0}
        onClick={show(at - 1)}
      >
        <Icon name="left" />
      </button>
      <span role="status" aria-label={words.versionSays(at + 1, versions.length, chat.branch)}>
        {words.version(at + 1, versions.length)}
      </span>
      <button
        type="button"
        className="square"
        data-does="after"
        aria-label={words.after}
        disabled={at === versions.length - 1}
        onClick={show(at + 1)}
      >
        <Icon name="right" />
      </button>
      <button
        type="button"
        className="action branch-name"
        aria-label={words.branchList(chat.branch)}
        onClick={() => open('branches')}
      >
        {chat.branch}
      </button>
      {against !== null && (
        <button type="button" className="action" onClick={() => open({ compare: against })}>
          {words.compare}
        </button>
      )}
    </nav>
  )
}
