/** Markdown: ours, and what people copy out of chats. A heading or a bold name says who speaks. */
import { basename } from 'node:path'
import { digest } from '../../store/shared/runtime.js'
import type { Format, Imported, ImportedNode, Reading, Says } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { str } from '../kit/shape.js'

const speakers: Readonly<Record<string, 'user' | 'assistant' | 'system' | 'tool' | 'summary'>> = {
  ...{ user: 'user', human: 'user', you: 'user', me: 'user', prompt: 'user', question: 'user' },
  ...{
    assistant: 'assistant',
    'assistant (no ai)': 'assistant',
    ai: 'assistant',
    bot: 'assistant',
    model: 'assistant',
  },
  ...{ chatgpt: 'assistant', gpt: 'assistant', claude: 'assistant', gemini: 'assistant', copilot: 'assistant' },
  ...{ answer: 'assistant', response: 'assistant', system: 'system', tool: 'tool', summary: 'summary' },
}

interface Section {
  readonly who: (typeof speakers)[string]
  readonly text: string
}

export const markdown: Format = {
  name: 'markdown',
  claims: (value) => typeof value === 'string' && sections(value).found.some(({ who }) => who === 'user'),
  read: (file): AsyncGenerator<Reading> =>
    eachValue(file, (value, place) =>
      typeof value === 'string' && sections(value).found.length > 0
        ? conversation(value, file.name)
        : { type: 'skipped', reason: 'a text in which nobody speaks', place },
    ),
}

const marks = [
  /^#{1,6}\s+(?:\*\*)?([A-Za-z()\s]+?)(?:\*\*)?:?\s*$/,
  /^\*\*([A-Za-z()\s]+?):?\*\*:?\s*(.*)$/,
  /^(User|Human|You|Assistant|ChatGPT|Claude|Gemini|System|AI):\s*(.*)$/,
]

/** Code is not asked who speaks. */
function sections(text: string): { readonly title: string | undefined; readonly found: readonly Section[] } {
  const found: { who: Section['who']; lines: string[] }[] = []
  let title: string | undefined
  let fence: string | null = null
  for (const line of text.split(/\r?\n/)) {
    const tick = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (tick) fence = fence === null ? tick : tick.startsWith(fence) ? null : fence
    const match = fence === null && !tick ? marks.map((mark) => mark.exec(line)).find(Boolean) : null
    const who = match ? speakers[(match[1] ?? '').trim().toLowerCase()] : undefined
    if (who) found.push({ who, lines: match?.[2] ? [match[2]] : [] })
    else if (found.length === 0) title ??= /^#\s+(.+)$/.exec(line)?.[1]
    else found.at(-1)?.lines.push(line)
  }
  return { title, found: found.map(({ who, lines }) => ({ who, text: lines.join('\n').trim() })) }
}

function conversation(text: string, file: string): Imported {
  const { title, found } = sections(text)
  const nodes: ImportedNode[] = []
  for (const { who, text: words } of found) {
    if (words === '') continue
    const before = nodes.at(-1)?.id ?? null
    nodes.push({ id: `part ${nodes.length + 1}`, parent: before, says: saysOf(who, words) })
  }
  const name = basename(file).replace(/\.\w+$/, '')
  return {
    type: 'tree',
    format: 'markdown',
    // a text has no name of its own: its title and its beginning are known again when it has grown
    id: digest(JSON.stringify([title ?? name, found[0]?.text])).slice(0, 24),
    title: str(title) ?? name,
    head: null,
    nodes,
    rest: { file: name },
    warnings: [],
    skipped: [],
  }
}

function saysOf(who: Section['who'], text: string): Says {
  if (who === 'summary') return { kind: 'summary', text }
  return { kind: 'message', message: who === 'tool' ? { role: 'tool', content: text } : { role: who, content: text } }
}
