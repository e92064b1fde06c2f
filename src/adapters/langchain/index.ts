/** LangChain and LangGraph on a store: chat message history, checkpointer and long-term store. @module */
export { chatHistory } from './chat-history.js'
export { type CheckpointerOptions, checkpointer } from './checkpointer.js'
export { type GraphStoreOptions, graphStore } from './store/store.js'
