/** The service as one function from request to response, and the keys it asks for. @module */
export type { Auth, Known, WhoCalls } from './kit/auth.js'
export type { HttpLimits, Log, LogLine, McpHandler } from './kit/context.js'
export { createKey, type KeyFacts, type KeyScope, listKeys, type NewKey, revokeKey } from './kit/keys.js'
export { type Route, type RouteFacts, route } from './kit/route.js'
export { toNodeHandler } from './node.js'
export { routes } from './routes.js'
export { openService, type RequestFacts, type Service, type ServiceOptions } from './service.js'
