/** The memory store, with a way to damage it. */
import type { Entry } from '../../src/store/contract/entry.js'
import type { Workspace } from '../../src/store/memory/room.js'
import { memoryStore } from '../../src/store/memory/store.js'
import type { Opened } from '../../src/testing/index.js'

export function openMemory(): Required<Pick<Opened, 'store' | 'damage'>> & { workspaces: Map<string, Workspace> } {
  const workspaces = new Map<string, Workspace>()
  return {
    store: memoryStore(undefined, workspaces),
    workspaces,
    async damage(workspace, conversation, id) {
      const room = workspaces.get(workspace)?.rooms.get(conversation)
      const entry = room?.byId.get(id) as Entry
      const changed = { ...entry, text: `${entry.text}.` }
      room?.byId.set(id, changed)
      room?.entries.splice(entry.seq - 1, 1, changed)
    },
  }
}
