/** Every operation that has a route of its own. */
import {
  addMemory,
  correctMemory,
  deleteMemory,
  exportMemories,
  getMemory,
  listMemories,
} from '../operations/memories.js'
import { assembleWindow } from '../operations/windows.js'
import { expose } from './expose.js'
import type { Route } from './route.js'

export const operationRoutes: readonly Route[] = [
  expose('get', '/api/v1/memories', listMemories),
  expose('get', '/api/v1/memories/export', exportMemories, { file: 'memories.jsonl' }),
  expose('post', '/api/v1/memories', addMemory, { status: 201 }),
  expose('get', '/api/v1/memories/{memory_id}', getMemory),
  expose('patch', '/api/v1/memories/{memory_id}', correctMemory),
  expose('delete', '/api/v1/memories/{memory_id}', deleteMemory, { status: 204 }),
  expose('post', '/api/v1/context/assemble', assembleWindow),
]
