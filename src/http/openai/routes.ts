/** OpenAI's own surface over the same conversations and runs. */
import type { Route } from '../kit/route.js'
import { completionsRoutes } from './chat/routes.js'
import { storedRoutes } from './chat/stored-routes.js'
import { conversationRoutes } from './conversations.js'
import { modelRoutes } from './models.js'
import { responseRoutes } from './responses/routes.js'

export const openaiRoutes: readonly Route[] = [
  ...conversationRoutes,
  ...responseRoutes,
  ...completionsRoutes,
  ...storedRoutes,
  ...modelRoutes,
]
