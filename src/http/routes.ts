/** Every route there is. A new room of routes adds its list here. */
import { aboutRoutes } from './about.js'
import { aiSdkRoutes } from './ai-sdk/routes.js'
import { anthropicRoutes } from './anthropic/routes.js'
import { googleRoutes } from './google/routes.js'
import { guideRoutes } from './guide.js'
import { blobRoutes } from './history/blobs.js'
import { importRoutes } from './history/import.js'
import type { Route } from './kit/route.js'
import { liveRoutes } from './live/routes.js'
import { mcpRoutes } from './mcp.js'
import { openaiRoutes } from './openai/routes.js'
import { operationRoutes } from './operations.js'
import { telemetryRoutes } from './telemetry/routes.js'
import { webRoutes } from './web.js'

/** Every route of the service, as data. */
export const routes: readonly Route[] = [
  ...aboutRoutes,
  ...operationRoutes,
  ...blobRoutes,
  ...importRoutes,
  ...liveRoutes,
  ...aiSdkRoutes,
  ...anthropicRoutes,
  ...googleRoutes,
  ...mcpRoutes,
  ...openaiRoutes,
  ...telemetryRoutes,
  ...guideRoutes,
  ...webRoutes,
]
