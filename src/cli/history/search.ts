/** `throughline search`: words in every message of every branch, or what they mean. */
import { searchMessages } from '../../operations/search.js'
import { countFlag } from '../kit/counts.js'
import type { DeskOptions } from '../kit/desk.js'
import { misused, notOneOf } from '../kit/failure.js'
import { moreWith, operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { type Paint, paintFor, printable } from '../kit/term.js'
import { instantBefore, when } from '../kit/when.js'
import { conversationNamed } from './find.js'
import { shortestIds } from './ids.js'

type Flags = DeskOptions<'mode' | 'role' | 'since' | 'in' | 'branch' | 'tag' | 'limit'>

export function searchStored(flags: Flags): Promise<number> {
  const q = (flags._ ?? []).join(' ').trim()
  if (q === '') throw misused('search needs words', 'throughline search oolong price')
  const { mode, role, tag, branch, since, in: within } = flags
  const { mode: modes, role: roles } = searchMessages.input.shape
  oneOf('--mode', mode, modes.unwrap().options)
  oneOf('--role', role, roles.unwrap().options)
  if (branch !== undefined && within === undefined) throw misused('--branch needs --in', '--in @last')
  const limit = countFlag(flags.limit, '--limit', 20)
  return operate(flags, searchMessages, {
    items: limit,
    input: async (context) => ({
      q,
      ...present({ mode, role, tag, branch }),
      ...(since !== undefined && { since: instantBefore(since) }),
      ...(within !== undefined && { conversation_id: (await conversationNamed(context, within)).id }),
    }),
    print: async ({ items, next_cursor, warnings = [] }) => {
      if (items.length === 0) say('Nothing was found.')
      else await put(`${told(items, paintFor(process.stdout)).join('\n')}\n`)
      for (const { message } of warnings) say(message)
      if (next_cursor !== null) say(moreWith(limit))
    },
  })
}

function oneOf(flag: string, given: string | undefined, names: readonly string[]): void {
  if (given !== undefined && !names.includes(given)) throw notOneOf(flag, given, names)
}

type WireHit = Awaited<ReturnType<typeof searchMessages.run>>['items'][number]

function told(hits: readonly WireHit[], paint: Paint): string[] {
  const ids = shortestIds(hits.map(({ conversation_id }) => conversation_id))
  return hits.flatMap((hit, i) => {
    const { title, seq, role, at } = hit
    const by = hit.why === undefined ? '' : ` · ${bys[hit.why]}`
    const head = `${ids[i]} ${seq} ${role} · ${when(at)}${by}`
    return [`${paint.bold(printable(head))}  ${paint.dim(printable(title))}`, `  ${highlit(hit, paint)}`]
  })
}

const bys = { words: 'by words', meaning: 'by meaning', both: 'by both' } as const

/** Without colour the words stand between signs. */
export function highlit({ snippet, marks }: Pick<WireHit, 'snippet' | 'marks'>, paint: Paint): string {
  let out = ''
  let from = 0
  for (const [start = 0, end = 0] of marks) {
    const word = flat(snippet.slice(start, end))
    out += flat(snippet.slice(from, start)) + (paint.isColorSupported ? paint.inverse(word) : `«${word}»`)
    from = end
  }
  return out + flat(snippet.slice(from))
}

const flat = (text: string): string => printable(text).replaceAll('\n', ' ')
