/** `throughline chat`: one question and its answer, or a talk at the terminal. */
import { text as textOf } from 'node:stream/consumers'
import type { Conversation } from '../../store/contract/conversation.js'
import { conversationNamed, findBranch, lastConversation } from '../history/find.js'
import { type Cli, type DeskOptions, reading, writing } from '../kit/desk.js'
import { misused } from '../kit/failure.js'
import { presetName, recallNamed } from '../kit/policy.js'
import { putJson, say } from '../kit/sink.js'
import { pick } from './pick.js'
import { openMouth } from './speak.js'
import { isNoAi, noAi, openTalk, type Talk, wayBack } from './talk.js'
import { remarks, takeTurn } from './turn.js'

type Flags = DeskOptions<'conversation' | 'branch' | 'model' | 'policy' | 'recall' | 'system', 'continue' | 'resume'>

export async function chat(flags: Flags): Promise<number> {
  const ways = [flags.continue, flags.conversation !== undefined, flags.resume].filter(Boolean).length
  if (ways > 1) throw misused('give one of -c, -t ID and --resume')
  const policy = flags.policy === undefined ? undefined : presetName(flags.policy)
  const recall = recallNamed(flags.recall)
  const words = (flags._ ?? []).join(' ')
  const piped = process.stdin.isTTY ? '' : (await textOf(process.stdin)).trimEnd()
  const message = [flags.resume ? '' : words, piped].filter((part) => part.trim() !== '').join('\n\n')
  if (message === '' && (!process.stdin.isTTY || flags.json))
    throw misused('there is nothing to say', 'throughline chat "…", or words on standard input')
  // who goes on where something was said needs a database that is there
  const atDesk = ways === 1 ? reading : writing
  return atDesk(flags, async (desk) => {
    const found = await conversationOf(desk, flags, words)
    const { name: branch } = found ? await findBranch(desk, found.id, flags.branch) : { name: 'main' }
    const talk = await openTalk(desk, found, branch, { model: flags.model, policy, recall, system: flags.system })
    try {
      if (message !== '') return await once(talk, message, Boolean(flags.json))
      const { repl } = await import('./repl.js')
      return await repl(talk)
    } finally {
      await talk.runs.drain(1_000)
    }
  })
}

async function conversationOf(desk: Cli, flags: Flags, words: string): Promise<Conversation | null> {
  if (flags.conversation !== undefined) return conversationNamed(desk, flags.conversation)
  if (flags.continue) return lastConversation(desk)
  return flags.resume ? pick(desk, words) : null
}

async function once(before: Talk, message: string, json: boolean): Promise<number> {
  const mouth = openMouth(json)
  const turn = await takeTurn(before, message, json ? () => {} : mouth.tell)
  mouth.end()
  const { talk, run, text } = turn
  const { id: conversation, branch } = talk
  if (json) await putJson({ schema: 'throughline.chat/1', conversation, branch, text, ai: !isNoAi(talk), run })
  for (const line of await remarks(turn)) say(line)
  if (isNoAi(talk)) say(noAi)
  say(wayBack(talk))
  return turn.exit
}
