/** Finds a conversation by what was said in it; at a terminal the reader chooses. */
import { createInterface } from 'node:readline/promises'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Hit } from '../../store/contract/search.js'
import { conversationNamed } from '../history/find.js'
import { highlit } from '../history/search.js'
import type { Cli } from '../kit/desk.js'
import { misused, notFound } from '../kit/failure.js'
import { say } from '../kit/sink.js'
import { type Paint, paintFor, printable, short } from '../kit/term.js'
import { when } from '../kit/when.js'

interface Choice {
  readonly conversation: Conversation
  readonly hit: Hit | null
}

const most = 10

export async function pick(desk: Cli, query: string): Promise<Conversation> {
  const choices = query === '' ? await newest(desk) : await found(desk, query)
  const [first] = choices
  if (!first) throw notFound(query === '' ? 'there is no conversation yet' : `nothing was found for ${query}`)
  if (choices.length === 1) return first.conversation
  if (!process.stdin.isTTY) {
    const lines = choices.map(({ conversation: { id, title } }) => `\n  -t ${id}  ${short(printable(title), 50)}`)
    throw misused(`${choices.length} conversations fit`, `choose one:${lines.join('')}`)
  }
  return ask(desk, choices)
}

async function newest({ store, workspace }: Cli): Promise<Choice[]> {
  const { items } = await store.list(workspace, { limit: most, archived: false })
  return items.map((conversation) => ({ conversation, hit: null }))
}

/** The newest hit of each conversation. */
async function found({ store, workspace }: Cli, text: string): Promise<Choice[]> {
  const { items } = await store.search(workspace, { text, limit: 500 })
  const hits = new Map<string, Hit>()
  for (const hit of items) if (!hits.has(hit.conversation)) hits.set(hit.conversation, hit)
  const some = await Promise.all(
    [...hits.values()].slice(0, most).map(async (hit) => {
      const conversation = await store.get(workspace, hit.conversation)
      return conversation ? [{ conversation, hit }] : []
    }),
  )
  return some.flat()
}

async function ask(desk: Cli, choices: readonly Choice[]): Promise<Conversation> {
  const paint = paintFor(process.stderr)
  choices.forEach((choice, i) => {
    say(row(choice, i + 1, paint))
  })
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const said = (await reader.question(`which one? [1] `).finally(() => reader.close())).trim()
  const chosen = choices[said === '' ? 0 : Number(said) - 1]
  return chosen?.conversation ?? conversationNamed(desk, said)
}

function row({ conversation, hit }: Choice, number: number, paint: Paint): string {
  const { title, updatedAt } = conversation
  const head = `${String(number).padStart(2)}  ${paint.bold(short(printable(title), 60) || '(no title)')}`
  const time = paint.dim(when(updatedAt, process.stderr))
  return `${head}  ${time}${hit ? `\n    ${short(highlit(hit, paint), 200)}` : ''}`
}
