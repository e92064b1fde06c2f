/** From ids to the things they name; what is not the caller's does not exist. */
import { choiceOf } from '../core/policy/presets/index.js'
import { type History, openHistory } from '../engine/history.js'
import { settingsIn } from '../runs/settings.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry } from '../store/contract/entry.js'
import type { OperationContext } from './context.js'
import { notFound } from './refusals.js'

type In = Pick<OperationContext, 'store' | 'workspace'>

export async function findConversation({ store, workspace }: In, id: string): Promise<Conversation> {
  const found = await store.get(workspace, id)
  if (!found) throw notFound('conversation_id', id)
  return found
}

export async function findMessage({ store, workspace }: In, conversation: string, id: string): Promise<Entry> {
  const found = await store.entry(workspace, conversation, id)
  if (!found) throw notFound('message_id', id)
  return found
}

/** The head of a branch; null for the beginning of `main` before anything was said. */
export async function findHead({ store, workspace }: In, conversation: string, branch: string): Promise<string | null> {
  const found = (await store.branches(workspace, conversation)).find(({ name }) => name === branch)
  if (!found && branch !== 'main') throw notFound('branch', branch)
  return found?.head ?? null
}

/** Never makes a conversation: one that does not exist is refused. */
export async function historyOf(context: HistoryContext, conversation: string): Promise<History> {
  const { store, workspace, env } = context
  const { model, policy = context.policy } = settingsIn(await findConversation(context, conversation))
  return openHistory({
    ...{ store, workspace, conversation, live: true, env, limits: context.historyLimits, policy: choiceOf(policy) },
    ...(model !== undefined && { model }),
  })
}

type HistoryContext = Pick<OperationContext, 'store' | 'workspace' | 'env' | 'policy' | 'historyLimits'>
