/**
 * The engine: a conversation on a store, and the window it becomes.
 *
 * @module
 */
export type { Answer, Asked, Recaller, Room } from '../recall/contract.js'
export type { DraftHandle, Recovered } from './draft.js'
export type { WindowEvent } from './event.js'
export type { Exported } from './export.js'
export { type AppendRequest, type AppendResult, type History, type HistoryOptions, openHistory } from './history.js'
export type { Limits } from './limits.js'
export type { Reconciled, ReconcileRequest } from './reconcile.js'
export { type Retained, type Retention, retain } from './retention.js'
export type { Said } from './said.js'
export type { Annotated, Env, Message } from './window/entries.js'
export type { Mark } from './window/marks.js'
export type { Heeded, Hydrated, Windowed, WindowRequest } from './window/window.js'
export { assembleWithRecall } from './with-recall.js'
