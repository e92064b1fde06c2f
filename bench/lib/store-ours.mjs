import { openHistory } from '../../dist/engine/index.js'
import { budget, current, entryAt, messageAt, pages, timeAt } from './store-data.mjs'

const workspace = 'default'
const request = { model: 'gpt-4o', budget, current }

export function ourSide(store) {
  const histories = new Map()
  const historyOf = async (id) => {
    if (!histories.has(id)) histories.set(id, await openHistory({ store, conversation: id }))
    return histories.get(id)
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
    openWindow:
      ({ id }) =>
      async () => {
        const history = await openHistory({ store, conversation: id })
        return checked(await history.window(request))
      },
  }
}
