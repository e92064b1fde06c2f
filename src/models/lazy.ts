/** Models that are opened when the first is asked for: a command that needs none does not wait for local servers. */
import type { Models } from './wire/contract.js'

/** Which one is usual is known once they are open, unless it is given. */
export function lazyModels(open: () => Promise<Models>, usual = ''): Models {
  let opened: Promise<Models> | undefined
  let known: Models | undefined
  const models = async (): Promise<Models> => {
    opened ??= open()
    known = await opened
    return known
  }
  return {
    get usual() {
      return known?.usual ?? usual
    },
    list: async () => (await models()).list(),
    find: async (id) => (await models()).find(id),
  }
}
