import { openHistory } from '../../dist/engine/index.js'
import { budget, current, entryAt, messageAt, pages, timeAt } from './store-data.mjs'

const workspace = 'default'
const request = { model: 'gpt-4o', budget, current }
/** Nothing but the newest that fit, as the peers; and as the product does it, with what was said before and may matter. */
const plain = { recaller: null }

export function ourSide(store) {
  const histories = new Map()
  const historyOf = async (id, more = plain) => {
    const key = more === plain ? id : `${id} with recall`
    if (!histories.has(key)) histories.set(key, await openHistory({ store, conversation: id, ...more }))
    return histories.get(key)
  }
  const checked = (made) => {
    if (!made.ok) throw new Error(`window refused: ${made.error.message}`)
    return made.hydrated.loaded
  }
  return {
    async load({ id, length }) {
      await store.create(workspace, { id, at: timeAt(0).toISOString() })
      for (const page of pages(length)) {
        const batch = page.map((index) => entryAt(length, index))
        await store.append(workspace, id, batch, { branch: 'main', at: timeAt(page[0]).toISOString() })
      }
    },
    append: ({ id, length }, index) => {
      const batch = [entryAt(length, index)]
      const options = { branch: 'main', at: timeAt(index).toISOString() }
      return () => store.append(workspace, id, batch, options)
    },
    historyAppend: async ({ id, length }, index) => {
      const history = await historyOf(id)
      const message = messageAt(length, index)
      return () => history.append(message)
    },
    window: async ({ id }) => {
      const history = await historyOf(id)
      return async () => checked(await history.window(request))
    },
    recallWindow: async ({ id }) => {
      const history = await historyOf(id, {})
      return async () => checked(await history.window(request))
    },
    openWindow:
      ({ id }) =>
      async () => {
        const history = await openHistory({ store, conversation: id, ...plain })
        return checked(await history.window(request))
      },
  }
}
