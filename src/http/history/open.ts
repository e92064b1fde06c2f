/** From the ids in a path to the things they name; what is not the caller's is not there. */
import { choiceOf } from '../../core/policy/presets/index.js'
import { type History, openHistory } from '../../engine/history.js'
import { settingsIn } from '../../runs/settings.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/entry.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'

type At = Pick<Context, 'frame' | 'workspace'>

export async function findConversation({ frame, workspace }: At, id: string): Promise<Conversation> {
  const found = await frame.store.get(workspace, id)
  if (!found) throw new Problem('not_found')
  return found
}

/** Never makes a conversation: one that is not there is refused before. */
export async function historyOf(at: At, id: string): Promise<History> {
  const { frame, workspace } = at
  const { model, policy } = settingsIn(await findConversation(at, id))
  return openHistory({
    store: frame.store,
    workspace,
    conversation: id,
    live: true,
    env: frame.env,
    limits: frame.limits.history,
    policy: choiceOf(policy ?? frame.policy),
    ...(model !== undefined && { model }),
  })
}

export async function findEntry({ frame, workspace }: At, conversation: string, id: string): Promise<Entry> {
  const found = await frame.store.entry(workspace, conversation, id)
  if (!found) throw new Problem('not_found')
  return found
}

/** The head of a branch; null for the beginning of `main` before anything was said. */
export async function headOf({ frame, workspace }: At, conversation: string, branch: string): Promise<string | null> {
  const found = (await frame.store.branches(workspace, conversation)).find(({ name }) => name === branch)
  if (found) return found.head
  if (branch === 'main') return null
  throw new Problem('not_found')
}
