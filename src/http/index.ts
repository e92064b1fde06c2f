/**
 * The service as one function from request to response, and the keys it asks for.
 *
 * @module
 */
export type { Auth, Known, WhoCalls } from './auth.js'
export type { HttpLimits, Log, LogLine } from './context.js'
export { createKey, type KeyFacts, type KeyScope, listKeys, type NewKey, revokeKey } from './keys.js'
export type { McpDoor } from './mcp.js'
export { toNodeHandler } from './node.js'
export type { OriginRules } from './origin.js'
export type { Rate } from './rate.js'
export { type Definition, type Route, type RouteFacts, route } from './route.js'
export { routes } from './routes.js'
export { openService, type RequestFacts, type Service, type ServiceOptions } from './service.js'
