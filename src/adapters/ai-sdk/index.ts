/** The AI SDK over Throughline: a store for its messages, and windows for its models. The SDK itself is never imported. @module */
export type { UiMessage, UiPart, UnnamedMessage } from './message.js'
export { type MessageStore, type MessageStoreOptions, messageStore, type Saved } from './message-store.js'
export { windowMiddleware } from './middleware.js'
export { prepareStep } from './prepare-step.js'
export { type CallWindowOptions, type ModelMessage, type Windowed, type WindowOptions, windowOf } from './window.js'
