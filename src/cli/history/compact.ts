/** `throughline compact`: a summary of what the window leaves out. */
import { openHistory } from '../../engine/history.js'
import { countOf } from '../kit/counts.js'
import { type DeskFlags, writing } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { findConversation } from './find.js'

interface Flags extends DeskFlags {
  readonly id?: string | undefined
  readonly branch?: string | undefined
  readonly budget?: string | undefined
}

export async function compactConversation(flags: Flags): Promise<number> {
  const { branch = 'main' } = flags
  const budget = flags.budget === undefined ? undefined : countOf(flags.budget, '--budget', 0)
  const made = await writing(flags, async (desk) => {
    const { store, workspace } = desk
    const { id } = await findConversation(desk, flags.id)
    const history = await openHistory({ store, workspace, conversation: id, live: true })
    const found = await history.compact({ branch, force: true, ...(budget === undefined ? null : { budget }) })
    const text = found.state === 'done' ? (await store.entry(workspace, id, found.entry))?.text : undefined
    return { conversation: id, ...found, ...(text === undefined ? null : { text }) }
  })
  if (flags.json) await putJson({ schema: 'throughline.compact/1', ...made })
  else if (made.state === 'done') {
    await put(`${made.text}\n`)
    say(`${made.covers} messages, ${made.tokens[0]} tokens, in ${made.tokens[1]}; all of them are still there`)
  } else say(made.state === 'unneeded' ? 'everything fits: there is nothing to summarise' : `no summary: ${made.cause}`)
  return made.state === 'refused' ? exits.failed : exits.ok
}
