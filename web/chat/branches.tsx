/** All branches: go to one, rename it, compare with it. */
import { useState } from 'react'
import type { Branch } from '../../src/client/index.js'
import { told } from '../api.js'
import { Dialog } from '../dialog.js'
import { Icon } from '../icons.js'
import { goTo } from '../place.js'
import { words } from '../strings/chat.js'
import { clockOf } from '../time.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'

export function Branches({ close }: { close(): void }) {
  const { chat } = useScreen()
  const { branches } = useBox(chat.state)
  const [error, setError] = useState<unknown>(null)
  return (
    <Dialog label={words.branches} name="branches" close={close}>
      {error !== null && (
        <p className="problem" role="alert">
          {told(error)}
        </p>
      )}
      <ul>
        {branches.map((branch) => (
          <Row key={branch.name} branch={branch} close={close} fail={setError} />
        ))}
      </ul>
    </Dialog>
  )
}

interface RowProps {
  readonly branch: Branch
  close(): void
  fail(error: unknown): void
}

function Row({ branch: { name, updated_at }, close, fail }: RowProps) {
  const { chat, actions, open } = useScreen()
  const [draft, setDraft] = useState<string | null>(null)
  const [asked, setAsked] = useState(false)
  const isHere = name === chat.branch
  if (draft !== null)
    return (
      <li>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const wanted = draft.trim()
            setDraft(null)
            fail(null)
            if (wanted !== '' && wanted !== name) void actions.rename(name, wanted).catch(fail)
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: it was asked for just now
            autoFocus
            aria-label={words.newName}
            value={draft}
            maxLength={60}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              setDraft(null)
            }}
          />
          <button type="submit" className="primary">
            {words.save}
          </button>
        </form>
      </li>
    )
  return (
    <li data-current={isHere}>
      <button
        type="button"
        className="branch-go"
        aria-current={isHere}
        onClick={() => {
          close()
          goTo(chat.id, name)
        }}
      >
        <Icon name="branch" /> <strong>{name}</strong> <small className="dim">{clockOf(updated_at)}</small>
      </button>
      {!isHere && (
        <button
          type="button"
          className="quiet"
          aria-label={words.compareWith(name)}
          onClick={() => open({ compare: name })}
        >
          {words.compare}
        </button>
      )}
      {name !== words.mainBranch && (
        <button type="button" className="quiet" aria-label={words.renameBranch(name)} onClick={() => setDraft(name)}>
          {words.rename}
        </button>
      )}
      {name !== words.mainBranch && (
        <button
          type="button"
          className={asked ? 'button low danger' : 'quiet'}
          aria-label={asked ? `${words.reallyDelete} ${name}` : words.deleteBranch(name)}
          onBlur={() => setAsked(false)}
          onClick={() => {
            if (!asked) return setAsked(true)
            void actions.drop(name).catch(fail)
          }}
        >
          {asked ? words.reallyDelete : words.delete}
        </button>
      )}
    </li>
  )
}
