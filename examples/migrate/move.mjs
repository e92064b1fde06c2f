// Where the scripts of this folder put what they find: a file that `throughline serve --db FILE` opens. Each can be run again:
// what is there stays as it is, and only what is new is added.
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { openHistory } from 'throughline/engine'
import { openMemories } from 'throughline/recall'
import { sqliteStore } from 'throughline/sqlite'

/** So many messages at a time: a write takes at most 1,000 entries, and a message with tools can be several. */
const step = 200

export async function moveTo(file) {
  const store = await sqliteStore(file)
  const done = { conversations: 0, messages: 0, notes: 0 }
  return {
    store,
    done,
    /** Messages of any dialect, oldest first; `workspace` says whose they are. */
    async conversation(id, messages, { title, workspace } = {}) {
      const history = await openHistory({ store, conversation: id, ...defined({ title, workspace }) })
      for (let to = step; to < messages.length + step; to += step)
        done.messages += (await history.reconcile(messages.slice(0, to))).added.length
      done.conversations++
    },
    /** Something that is known beyond one conversation. */
    async note(id, text, { kind = 'semantic', author, workspace } = {}) {
      const memories = openMemories({ store, ...defined({ workspace }) })
      // a note has at most 2,000 characters
      for (const [i, piece] of (text.match(/.{1,2000}/gsu) ?? []).entries()) {
        const name = i === 0 ? id : `${id}.${i}`
        if (piece.trim() === '' || (await memories.get(name))) continue
        await memories.add({ id: name, kind, text: piece, ...defined({ author }) })
        done.notes++
      }
    },
    async end() {
      await store.close()
      const { conversations, messages, notes } = done
      console.log(`conversations: ${conversations}, new messages: ${messages}, new notes: ${notes}`)
    },
  }
}

/** Whether a script was started by its name, rather than imported. */
export const isStarted = (url) => pathToFileURL(realpathSync(process.argv[1] ?? '.')).href === url

const defined = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
