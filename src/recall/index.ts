/** Recall: the earlier messages that matter for the message to answer. */
export type { Answer, Asked, Recaller, Room } from './contract.js'
export type { Embedder } from './embedder.js'
export { createFinder, type Finder, type FinderOptions, type FindMode, type FindQuery, type Found } from './finder.js'
export {
  type Memories,
  type MemoriesOptions,
  type Memory,
  type MemoryKind,
  type NewMemory,
  openMemories,
} from './memories.js'
export { createRecaller, type RecallerOptions } from './recaller.js'
export { tableEmbedder } from './table.js'
