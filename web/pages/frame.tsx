/** A page around the conversations: its head, its title, its content. */
import type { ReactNode } from 'react'
import { Icon } from '../icons.js'
import { strings } from '../strings/pages.js'

interface Props {
  readonly title: string
  readonly says: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  openList(): void
}

export function Frame({ title, says, actions, children, openList }: Props) {
  return (
    <>
      <title>{`${title} · ${strings.app}`}</title>
      <header className="head">
        <button type="button" className="square only-phone" aria-label={strings.openList} onClick={openList}>
          <Icon name="menu" />
        </button>
      </header>
      <div className="page">
        <div className="page-head">
          <div>
            <h1>{title}</h1>
            <p className="dim">{says}</p>
          </div>
          {actions}
        </div>
        {children}
      </div>
    </>
  )
}
