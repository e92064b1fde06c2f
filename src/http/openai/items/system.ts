/** What system and developer items of a conversation say: it goes beside the window, whatever falls out of it. */
import type { Context } from '../../kit/context.js'
import type { Item } from './item.js'
import { itemLabel } from './show.js'
import { isOfficial, textIn } from './take.js'

type At = Pick<Context, 'frame' | 'workspace'>

/** Set before such an item is written, so that only conversations that have one are read for it. */
const mark = 'system_items'

export async function markSystem({ frame, workspace }: At, conversation: string): Promise<void> {
  const found = await frame.store.get(workspace, conversation)
  if (!found || found.meta[mark] === true) return
  await frame.store.update(workspace, conversation, { meta: { ...found.meta, [mark]: true }, at: frame.env.now() })
}

export async function systemOn({ frame, workspace }: At, conversation: string, head: string | null): Promise<string[]> {
  const found = await frame.store.get(workspace, conversation)
  if (head === null || found?.meta[mark] !== true) return []
  const path = await frame.store.path(workspace, conversation, head)
  return path.flatMap(({ body, redacted }) => {
    if (redacted || body.kind !== 'note' || body.label !== itemLabel) return []
    const item = body.data as Item
    return isOfficial(item) ? [textIn(item.content)] : []
  })
}
