/** The larger views, loaded together when the first of them is opened. */
import type { Choices } from '../app.js'
import { Branches } from './branches.js'
import { ChatSettings } from './chat-settings.js'
import { Compare } from './compare.js'
import type { Screen } from './context.js'
import { TreeView } from './tree-view.js'

export type Opened = Parameters<Screen['open']>[0]

interface Props {
  readonly opened: Opened
  readonly choices: Choices | null
  close(): void
}

export function Views({ opened, choices, close }: Props) {
  if (opened === 'settings') return <ChatSettings choices={choices} close={close} />
  if (opened === 'tree') return <TreeView close={close} />
  if (opened === 'branches') return <Branches close={close} />
  return <Compare against={opened.compare} close={close} />
}
