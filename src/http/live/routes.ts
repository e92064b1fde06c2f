/** The routes over what happens: queries, chats, runs and their events, shares, and the state of the service. */
import type { Route } from '../kit/route.js'
import { chatRoutes } from './chat-routes.js'
import { queryRoutes } from './query-routes.js'
import { runRoutes } from './run-routes.js'
import { shareRoutes } from './share-routes.js'
import { systemRoutes } from './system-routes.js'

export const liveRoutes: readonly Route[] = [
  ...chatRoutes,
  ...queryRoutes,
  ...runRoutes,
  ...shareRoutes,
  ...systemRoutes,
]
