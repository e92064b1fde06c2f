/** `throughline rename`, `pin`, `tag`, `archive` and `delete`: one conversation, by its id. */
import { createInterface } from 'node:readline/promises'
import { deleteConversation, updateConversation } from '../../operations/conversations.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { DeskFlags, DeskOptions } from '../kit/desk.js'
import { misused } from '../kit/failure.js'
import { operate } from '../kit/operate.js'
import { say } from '../kit/sink.js'
import { printable } from '../kit/term.js'
import { conversationNamed } from './find.js'

type Flags = DeskOptions<'id', 'off'>

interface Worded extends DeskFlags {
  readonly _?: readonly string[]
  readonly off?: boolean | undefined
}

const named = (title: string): string => (title === '' ? 'it' : `“${printable(title)}”`)

function change(
  flags: DeskFlags,
  id: string | undefined,
  patch: (found: Conversation) => object,
  says: string,
): Promise<number> {
  return operate(flags, updateConversation, {
    input: async (context) => {
      const found = await conversationNamed(context, id)
      return { conversation_id: found.id, ...patch(found) }
    },
    print: ({ title }) => say(`${named(title)} ${says}`),
  })
}

export function rename({ _: [id, ...words] = [], ...flags }: Worded): Promise<number> {
  const title = words.join(' ').trim()
  if (title === '') throw misused('a title is needed', 'throughline rename ID New title')
  return change(flags, id, () => ({ title }), 'is its name now')
}

export const pin = ({ id, off = false, ...flags }: Flags): Promise<number> =>
  change(flags, id, () => ({ pinned: !off }), off ? 'is pinned no more' : 'is pinned')

export const archive = ({ id, off = false, ...flags }: Flags): Promise<number> =>
  change(flags, id, () => ({ archived: !off }), off ? 'is out of the archive' : 'is in the archive')

export function tag({ _: [id, ...tags] = [], off = false, ...flags }: Worded): Promise<number> {
  if (tags.length === 0) throw misused('a tag is needed', 'throughline tag ID release 2026')
  const next = (found: Conversation): object => {
    const kept = found.tags.filter((one) => !tags.includes(one))
    return { tags: off ? kept : [...kept, ...new Set(tags)] }
  }
  return change(flags, id, next, `${off ? 'lost' : 'has'} ${tags.map((one) => `#${printable(one)}`).join(' ')}`)
}

export async function removeOne({ id, yes, ...flags }: Flags & { readonly yes?: unknown }): Promise<number> {
  if (!yes && (flags.json || !process.stdin.isTTY)) throw misused('delete needs --yes', 'nothing brings it back')
  let title = ''
  let isMeant = yes === true
  const input = async (context: Parameters<typeof conversationNamed>[0]) => {
    const found = await conversationNamed(context, id)
    title = found.title
    isMeant ||= await confirmed(`Delete ${named(title)} for good? [y/N] `)
    if (!isMeant) throw misused('nothing was deleted')
    return { conversation_id: found.id }
  }
  return operate(flags, deleteConversation, { input, print: () => say(`${named(title)} is deleted`) })
}

async function confirmed(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await reader.question(question)).trim())
  } finally {
    reader.close()
  }
}
