/** Models that are opened when the first is asked for: a command that needs none does not wait for local servers. */
import type { Models } from './wire/contract.js'

export function lazyModels(open: () => Promise<Models>, usual = ''): Models {
  let opened: Promise<Models> | undefined
  const models = () => (opened ??= open())
  return { usual, list: async () => (await models()).list(), find: async (id) => (await models()).find(id) }
}
