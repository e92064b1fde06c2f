/** `throughline memories`: what is known in every conversation that may look beyond itself. */
import {
  addMemory,
  correctMemory,
  deleteMemory,
  exportMemories,
  getMemory,
  listMemories,
} from '../../operations/memories.js'
import { conversationNamed, findEntry, theOne } from '../history/find.js'
import { shortestIds } from '../history/ids.js'
import { countFlag } from '../kit/counts.js'
import type { DeskOptions } from '../kit/desk.js'
import { misused, notFound, notOneOf } from '../kit/failure.js'
import { type CliContext, operate } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'

type MemoryFlags = DeskOptions<'id' | 'kind' | 'conversation' | 'from' | 'limit'>

const printId = ({ id }: { readonly id: string }): Promise<void> => put(`${id}\n`)

export const add = (flags: MemoryFlags): Promise<number> =>
  operate(flags, addMemory, {
    input: async (context) => {
      const text = wordsIn(flags._)
      if (text === '') throw misused('there is nothing to remember', 'throughline memories add "Prefers metric units."')
      return { text, ...kindIn(flags), ...(await sourceIn(context, flags)) }
    },
    print: printId,
  })

export const edit = (flags: MemoryFlags): Promise<number> =>
  operate(flags, correctMemory, {
    input: async (context) => {
      const [name, ...words] = flags._ ?? []
      const text = wordsIn(words)
      if (text === '' && flags.kind === undefined)
        throw misused('edit needs new words or --kind', 'throughline memories edit @last "Prefers short answers."')
      const { id, revision } = await findMemory(context, name)
      return { memory_id: id, expect: revision, ...(text !== '' && { text }), ...kindIn(flags) }
    },
    print: printId,
  })

export const rm = (flags: MemoryFlags): Promise<number> => {
  let removed = ''
  return operate(flags, deleteMemory, {
    input: async (context) => {
      removed = (await findMemory(context, flags.id)).id
      return { memory_id: removed }
    },
    print: () => put(`${removed}\n`),
  })
}

export const printMemories = (flags: MemoryFlags): Promise<number> =>
  operate(flags, listMemories, {
    input: () => ({ limit: countFlag(flags.limit, '--limit', 50), ...kindIn(flags) }),
    print: async ({ items, next_cursor }) => {
      if (items.length === 0) return say('Nothing is remembered yet. throughline memories add "…" remembers something.')
      const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout)]
      const ids = shortestIds(items.map(({ id }) => id))
      const room = Math.max(24, width - 40 - (ids[0]?.length ?? 0))
      const rows = items.map(({ kind, updated_at, author, source, text }, at) => [
        ids[at] as string,
        kind,
        when(updated_at),
        printable(source ? source.conversation_id.slice(0, 8) : author),
        short(printable(text).replaceAll('\n', ' '), room),
      ])
      const [head = '', ...rest] = table([['id', 'kind', 'when', 'from', 'text'], ...rows])
      await put(`${[paint.bold(head), ...rest].join('\n')}\n`)
      if (next_cursor !== null) say(`More results: use -n ${items.length * 2}`)
    },
  })

export const exportAll = (flags: MemoryFlags): Promise<number> => operate(flags, exportMemories, { input: () => ({}) })

const wordsIn = (words: readonly string[] = []): string => words.join(' ').trim()

function kindIn({ kind }: MemoryFlags): { readonly kind?: string } {
  const kinds = listMemories.input.shape.kind.unwrap().options
  if (kind !== undefined && !kinds.some((one) => one === kind)) throw notOneOf('--kind', kind, kinds)
  return kind === undefined ? {} : { kind }
}

async function sourceIn(context: CliContext, { conversation, from }: MemoryFlags) {
  if (from === undefined) return {}
  const conversation_id = (await conversationNamed(context, conversation ?? '@last')).id
  return { conversation_id, message_id: (await findEntry(context, conversation_id, from)).id }
}

/** By a whole id, a beginning that only one has, or `@last`. */
async function findMemory(context: CliContext, name: string | undefined) {
  if (name === undefined) throw misused('an ID is needed', 'throughline memories list has them; @last is the newest')
  if (name === '@last') {
    const [last] = (await listMemories.run(context, { limit: 1 })).items
    if (!last) throw notFound('nothing is remembered yet', 'throughline memories add remembers something')
    return last
  }
  const exact = await getMemory.run(context, { memory_id: name }).catch(() => null)
  if (exact) return exact
  const matches = []
  for await (const memory of exportMemories.run(context, {})) if (memory.id.startsWith(name)) matches.push(memory)
  return theOne(matches, `memory ${name}`, ({ id, text }) => `${id}  ${short(text, 60)}`)
}
