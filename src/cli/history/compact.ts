/** `throughline compact`: a summary of what the window leaves out. */
import { compactConversation } from '../../operations/compact.js'
import { getMessage } from '../../operations/messages.js'
import { countFlag } from '../kit/counts.js'
import type { DeskOptions } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { conversationNamed } from './find.js'

type Flags = DeskOptions<'id' | 'branch' | 'budget'>

export function compactStored(flags: Flags): Promise<number> {
  const { branch } = flags
  const budget = flags.budget === undefined ? undefined : countFlag(flags.budget, '--budget', 0)
  let conversation_id = ''
  return operate(flags, compactConversation, {
    input: async (context) => {
      conversation_id = (await conversationNamed(context, flags.id)).id
      return { conversation_id, ...present({ branch, budget }) }
    },
    print: async (made, context) => {
      if (made.message_id === null)
        return say(
          made.state === 'unneeded' ? 'everything fits: there is nothing to summarise' : `no summary: ${made.cause}`,
        )
      const { text } = await getMessage.run(context, { conversation_id, message_id: made.message_id })
      await put(`${text}\n`)
      say(`${made.covers} messages, ${made.tokens_before} tokens, in ${made.tokens_after}; all of them are still there`)
    },
    exit: ({ state }) => (state === 'refused' ? exits.failed : exits.ok),
  })
}
