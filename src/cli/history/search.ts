/** `throughline search`: words in every message of every branch, or what they mean. */
import { type Mode, modes } from '../../recall/finder.js'
import type { Hit, SearchQuery } from '../../store/contract/search.js'
import { countOf } from '../kit/counts.js'
import { type Desk, type DeskFlags, reading } from '../kit/desk.js'
import { exits, misused, notOneOf } from '../kit/failure.js'
import { finderOf } from '../kit/finder.js'
import { put, putJson, say } from '../kit/sink.js'
import { type Paint, paintFor, printable } from '../kit/term.js'
import { instantBefore, when } from '../kit/when.js'
import { findConversation } from './find.js'
import { shortest } from './ids.js'

interface Flags extends DeskFlags {
  readonly _?: readonly string[]
  readonly mode?: string | undefined
  readonly role?: string | undefined
  readonly since?: string | undefined
  readonly in?: string | undefined
  readonly branch?: string | undefined
  readonly tag?: string | undefined
  readonly limit?: string | undefined
}

const roles = ['system', 'user', 'assistant', 'tool'] as const

export async function searchMessages(flags: Flags): Promise<number> {
  const text = (flags._ ?? []).join(' ').trim()
  if (text === '') throw misused('search needs words', 'throughline search oolong price')
  const limit = countOf(flags.limit, '--limit', 20)
  const mode = modeOf(flags.mode)
  const { items, cursor, warnings } = await reading(flags, async (desk) => {
    const query = { text, mode, limit, ...(await narrowed(desk, flags)) }
    return finderOf(desk.settled.config).find(desk.store, desk.workspace, query)
  })
  const more = cursor !== null
  const extra = mode === 'keyword' ? null : { mode, warnings }
  if (flags.json) await putJson({ schema: 'throughline.search/1', query: text, ...extra, hits: items, more })
  else if (items.length === 0) say('Nothing was found.')
  else await put(`${told(items, paintFor(process.stdout)).join('\n')}\n`)
  for (const { message } of flags.json ? [] : warnings) say(message)
  if (more && !flags.json) say(`There are more: -n ${limit * 5} shows so many.`)
  return exits.ok
}

function modeOf(given: string | undefined): Mode {
  const mode = modes.find((one) => one === (given ?? 'keyword'))
  if (mode === undefined) throw notOneOf('--mode', given ?? '', modes)
  return mode
}

async function narrowed(desk: Desk, flags: Flags): Promise<Partial<SearchQuery>> {
  const role = roles.find((one) => one === flags.role)
  if (flags.role !== undefined && role === undefined) throw notOneOf('--role', flags.role, roles)
  if (flags.branch !== undefined && flags.in === undefined) throw misused('--branch needs --in', '--in @last')
  return {
    ...(role && { role }),
    ...(flags.branch === undefined ? null : { branch: flags.branch }),
    ...(flags.tag === undefined ? null : { tag: flags.tag }),
    ...(flags.since === undefined ? null : { since: instantBefore(flags.since) }),
    ...(flags.in === undefined ? null : { conversation: (await findConversation(desk, flags.in)).id }),
  }
}

function told(hits: readonly Hit[], paint: Paint): string[] {
  const ids = shortest(hits.map(({ conversation }) => conversation))
  return hits.flatMap((hit, i) => {
    const { title, seq, role, at } = hit
    const by = hit.why === undefined ? '' : ` · ${bys[hit.why]}`
    const head = `${ids[i]} ${seq} ${role} · ${when(at)}${by}`
    return [`${paint.bold(printable(head))}  ${paint.dim(printable(title))}`, `  ${highlit(hit, paint)}`]
  })
}

const bys = { words: 'by words', meaning: 'by meaning', both: 'by both' } as const

/** Without colour the words stand between signs. */
export function highlit({ snippet, marks }: Pick<Hit, 'snippet' | 'marks'>, paint: Paint): string {
  let out = ''
  let from = 0
  for (const [start, end] of marks) {
    const word = flat(snippet.slice(start, end))
    out += flat(snippet.slice(from, start)) + (paint.isColorSupported ? paint.inverse(word) : `«${word}»`)
    from = end
  }
  return out + flat(snippet.slice(from))
}

const flat = (text: string): string => printable(text).replaceAll('\n', ' ')
