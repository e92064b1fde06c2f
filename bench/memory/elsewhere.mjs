// The product over a workspace: each session is a conversation of its own, and the question is asked in a new one.
import { openHistory } from '../../dist/engine/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { asking, messagesOf } from './adapter.mjs'
import { write } from './write.mjs'

export async function openElsewhere(turns) {
  const store = memoryStore()
  for (const session of new Set(turns.map(({ session }) => session))) {
    const history = await openHistory({ store, conversation: session, title: `Talk ${session}` })
    const own = turns.filter((turn) => turn.session === session)
    await write(history, messagesOf(own, turns))
  }
  const history = await openHistory({ store, conversation: 'asking' })
  return asking(store, history, { overrides: { recall: { from: 'workspace' } } })
}
