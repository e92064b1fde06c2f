/** Anthropic's memory tool, kept in a store. @module */
export { type MemoryHandlers, type MemoryOptions, memoryHandlers } from './memory.js'
