/** To a message on a branch that has it: the one in sight, if it does. No branch is made for it. */
import type { Hit } from '../../src/client/index.js'
import { api } from '../api.js'
import { goTo, type Place } from '../place.js'

type Said = Pick<Hit, 'conversation_id' | 'message_id'>

/** False where no branch leads to it any more. */
export async function jump({ conversation_id: id, message_id: message }: Said, from: Place): Promise<boolean> {
  const { items } = await api.branches.to(id, message)
  const here = from.conversation === id ? items.find(({ name }) => name === from.branch) : undefined
  const branch = here ?? items[0]
  goTo(id, branch?.name, branch ? message : undefined)
  return branch !== undefined
}
