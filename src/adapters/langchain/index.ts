/** LangChain and LangGraph on a store: chat message history, windows, checkpointer and long-term store. @module */
export type { WindowedOptions } from '../list/window.js'
export { chatHistory } from './chat-history.js'
export { type CheckpointerOptions, checkpointer } from './checkpointer.js'
export { type GraphStoreOptions, graphStore } from './store/store.js'
export { type GraphWindowOptions, windowed } from './windowed.js'
