// The product over a workspace: each session is a conversation of its own, and the question is asked in a new one.
import { openHistory } from '../../dist/engine/index.js'
import { createFinder } from '../../dist/recall/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { asking, messagesOf } from './adapter.mjs'
import { write } from './write.mjs'

export async function openElsewhere(turns, { meaning = false } = {}) {
  const store = memoryStore()
  for (const session of new Set(turns.map(({ session }) => session))) {
    const history = await openHistory({ store, conversation: session, title: `Talk ${session}` })
    const own = turns.filter((turn) => turn.session === session)
    await write(history, messagesOf(own, turns))
  }
  // as someone leaves it who has searched by meaning
  if (meaning) await createFinder().embed(store, 'default')
  const history = await openHistory({ store, conversation: 'asking' })
  return asking(store, history, { overrides: { recall: { from: 'workspace' } } })
}
