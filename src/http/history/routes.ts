/** The routes over what is kept: conversations, messages, branches, windows and their receipts. */
import type { Route } from '../route.js'
import { anotherRoutes } from './another.js'
import { blobRoutes } from './blobs.js'
import { branchRoutes } from './branches.js'
import { choiceRoutes } from './choices.js'
import { compactRoutes } from './compact.js'
import { conversationRoutes } from './conversations.js'
import { exportRoutes } from './export.js'
import { labelRoutes } from './labels.js'
import { singleRoutes } from './message.js'
import { messageRoutes } from './messages.js'
import { outlineRoutes } from './outline.js'
import { reachingRoutes } from './reaching.js'
import { receiptRoutes } from './receipts.js'
import { searchRoutes } from './search.js'
import { treeRoutes } from './tree.js'
import { verifyRoutes } from './verify.js'

export const historyRoutes: readonly Route[] = [
  ...conversationRoutes,
  ...labelRoutes,
  ...treeRoutes,
  ...exportRoutes,
  ...verifyRoutes,
  ...messageRoutes,
  ...blobRoutes,
  ...outlineRoutes,
  ...singleRoutes,
  ...anotherRoutes,
  ...branchRoutes,
  ...reachingRoutes,
  ...compactRoutes,
  ...receiptRoutes,
  ...searchRoutes,
  ...choiceRoutes,
]
