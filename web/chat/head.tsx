/** The line above a conversation. */
import type { Choices } from '../app.js'
import { Icon } from '../icons.js'
import { ShareButton } from '../pages/share-button.js'
import { words } from '../strings/chat.js'
import { strings } from '../strings/pages.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { isAi, NoAi } from './pickers.js'

export function Head({ choices, openList }: { readonly choices: Choices | null; openList(): void }) {
  const { chat, open } = useScreen()
  const { conversation, branches } = useBox(chat.state)
  return (
    <header className="head">
      <title>{conversation?.title ? `${conversation.title} · ${strings.app}` : strings.app}</title>
      <ListButton open={openList} />
      <h1 className="title">{conversation?.title || words.untitled}</h1>
      {branches.length > 1 && (
        <button
          type="button"
          className="badge plain branch"
          aria-label={words.branchList(chat.branch)}
          title={words.branches}
          onClick={() => open('branches')}
        >
          <Icon name="branch" /> <span>{chat.branch}</span>
        </button>
      )}
      <span className="grow" />
      <ShareButton />
      {!isAi(choices, conversation?.model ?? null) && <NoAi choices={choices} />}
      <button
        type="button"
        className="square"
        aria-label={words.chatSettings}
        title={words.chatSettings}
        onClick={() => open('settings')}
      >
        <Icon name="gear" />
      </button>
      <button
        type="button"
        className="square"
        aria-label={words.treeTitle}
        title={words.treeTitle}
        onClick={() => open('tree')}
      >
        <Icon name="tree" />
      </button>
    </header>
  )
}

export const ListButton = ({ open }: { open(): void }) => (
  <button type="button" className="square only-phone" aria-label={words.openList} onClick={open}>
    <Icon name="menu" />
  </button>
)
