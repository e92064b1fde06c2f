/** From the ids in a path to the things they name, for routes that are written by hand. */
import type { History } from '../../engine/history.js'
import { findConversation as find, findHead, historyOf as open } from '../../operations/find.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Context } from '../kit/context.js'

type At = Pick<Context, 'frame' | 'workspace'>

const contextAt = ({ frame, workspace }: At) => ({ ...frame, workspace, historyLimits: frame.limits.history })

export const conversationAt = (at: At, id: string): Promise<Conversation> => find(contextAt(at), id)

export const historyAt = (at: At, id: string): Promise<History> => open(contextAt(at), id)

export const branchHead = (at: At, conversation: string, branch: string): Promise<string | null> =>
  findHead(contextAt(at), conversation, branch)
