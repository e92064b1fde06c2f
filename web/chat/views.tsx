/** The larger views, loaded together when the first of them is opened. */
import { Branches } from './branches.js'
import { Compare } from './compare.js'
import type { Screen } from './context.js'
import { TreeView } from './tree-view.js'

export type Opened = Parameters<Screen['open']>[0]

export function Views({ opened, close }: { readonly opened: Opened; close(): void }) {
  if (opened === 'tree') return <TreeView close={close} />
  if (opened === 'branches') return <Branches close={close} />
  return <Compare against={opened.compare} close={close} />
}
