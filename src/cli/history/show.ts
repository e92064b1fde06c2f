/** `throughline show`: one branch of a conversation, or all of them as a tree. */
import { listMessages } from '../../operations/messages.js'
import { getTree } from '../../operations/tree.js'
import type { Branch } from '../../store/contract/branch.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/contract/entry.js'
import { all } from '../../store/shared/page.js'
import { countFlag } from '../kit/counts.js'
import { type Cli, type DeskOptions, reading } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { type Paint, paintFor, printable, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { conversationNamed, eachEntry, findBranch } from './find.js'
import { graph } from './graph.js'
import { entrySpeaker, entryWords } from './speaker.js'

type Flags = DeskOptions<'id' | 'branch' | 'limit', 'branches' | 'raw'>

interface Shown {
  readonly conversation: Conversation
  readonly branches: readonly Branch[]
  readonly entries: readonly Entry[]
}

export async function showConversation(flags: Flags): Promise<number> {
  const limit = countFlag(flags.limit, '--limit', Number.MAX_SAFE_INTEGER)
  if (flags.json) return asJson(flags, limit)
  const shown = await reading(flags, (desk) => gather(desk, flags, limit))
  const { conversation, branches, entries: said } = shown
  const { title } = conversation
  const paint = paintFor(process.stdout)
  if (flags.raw) return raw(said)
  say(paint.bold(printable(title)))
  if (said.length === 0) say('There are no messages yet.')
  else if (flags.branches) await put(`${graph(said, branches, widthOf(process.stdout), paint, limit).join('\n')}\n`)
  else await put(`${said.map((entry) => told(entry, paint)).join('\n\n')}\n`)
  return exits.ok
}

async function asJson(flags: Flags, items: number): Promise<number> {
  const named = async (desk: Cli) => ({ conversation_id: (await conversationNamed(desk, flags.id)).id })
  if (flags.branches) return operate(flags, getTree, { input: named })
  const { branch } = flags
  return operate(flags, listMessages, {
    items,
    input: async (desk) => ({ ...(await named(desk)), ...present({ branch }) }),
  })
}

async function gather(desk: Cli, flags: Flags, limit: number): Promise<Shown> {
  const { store, workspace } = desk
  const conversation = await conversationNamed(desk, flags.id)
  const { head } = await findBranch(desk, conversation.id, flags.branch)
  const branches = await store.branches(workspace, conversation.id)
  if (flags.branches) return { conversation, branches, entries: await all(eachEntry(desk, conversation.id)) }
  const path = head === null ? [] : await store.path(workspace, conversation.id, head, Math.min(limit, 1_000_000))
  return { conversation, branches, entries: path }
}

function told(entry: Entry, paint: Paint): string {
  const { seq, at, model, body } = entry
  const cut = body.kind === 'message' && body.status === 'aborted' ? ' · cut short' : ''
  const head = `── ${seq} ${entrySpeaker(entry)} · ${when(at)}${model === undefined ? '' : ` · ${model}`}${cut}`
  return `${paint.dim(printable(head))}\n${printable(entryWords(entry))}`
}

/** The words as they were said, for other programs. */
async function raw(said: readonly Entry[]): Promise<number> {
  await put(said.map((entry) => `${entryWords(entry)}\n`).join('\n'))
  return exits.ok
}
