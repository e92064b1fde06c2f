/** Google Takeout's "My Activity" of Gemini Apps: prompts and answers, newest first, without conversations. */

import { digest } from '../../store/shared/runtime.js'
import type { Format, Imported, ImportedNode, Reading, Skipped } from '../kit/contract.js'
import { isRaw, type Raw, raws, str, timeOf, without } from '../kit/shape.js'

export const geminiTakeout: Format = {
  name: 'gemini-takeout',
  claims: (value) => isRaw(value) && /Gemini Apps|Bard/.test(String(value.header)) && typeof value.time === 'string',
  async *read(file): AsyncGenerator<Reading> {
    const asked: Raw[] = []
    const skipped: Skipped[] = []
    for await (const one of file.values()) {
      const place = one.type === 'text' ? 'the file' : one.place
      if (one.type !== 'json' || !isRaw(one.value))
        skipped.push({ type: 'skipped', reason: one.type === 'fault' ? one.reason : 'not an activity', place })
      else if (isPrompt(one.value)) asked.push(one.value)
      else skipped.push({ type: 'skipped', reason: 'an activity that is no conversation', place })
    }
    yield* skipped
    // newest first in the file, oldest first in a conversation
    for (const group of sittings(asked.reverse())) yield conversation(group)
  },
}

/** The word before the prompt is in the language of the account; an answer says that it was one. */
const isPrompt = ({ title, safeHtmlItem, time }: Raw): boolean =>
  timeOf(time) !== undefined && (raws(safeHtmlItem).length > 0 || /^(Prompted|Asked|Said) /.test(String(title)))

const pauseMs = 30 * 60_000

/** Cut where nobody asked anything for half an hour. */
function sittings(asked: readonly Raw[]): Raw[][] {
  const out: Raw[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const one of asked) {
    const at = Date.parse(timeOf(one.time) as string)
    if (at - last > pauseMs) out.push([])
    out.at(-1)?.push(one)
    last = at
  }
  return out
}

function conversation(group: readonly Raw[]): Imported {
  const nodes: ImportedNode[] = []
  let parent: string | null = null
  for (const one of group) {
    const at = timeOf(one.time) as string
    const prompt = (str(one.title) ?? '').replace(/^(Prompted|Asked|Said)\s+/, '')
    const id = `${at} ${digest(prompt).slice(0, 8)}`
    const files = raws(one.subtitles)
      .filter((sub) => str(sub.url))
      .map(fileOf)
    const picture = str(one.imageFile)
    if (picture && !files.some(({ source }) => source.id === picture))
      files.push(fileOf({ name: picture, url: picture }))
    const parts = [{ type: 'text', text: prompt }, ...files]
    nodes.push({
      id,
      parent,
      at,
      says: { kind: 'message', message: { role: 'user', parts } },
      rest: without(one, 'title', 'time', 'safeHtmlItem'),
    })
    const answers = raws(one.safeHtmlItem).flatMap(({ html }) => str(html) ?? [])
    for (const [i, html] of answers.entries())
      nodes.push({
        ...{ id: `${id} answer ${i + 1}`, parent: id, at },
        says: { kind: 'message', message: { role: 'assistant', content: markdownOf(html) } },
        rest: { html },
      })
    parent = answers.length > 0 ? `${id} answer 1` : id
  }
  const first = group[0] as Raw
  const at = timeOf(first.time) as string
  return {
    type: 'tree',
    format: 'gemini-takeout',
    id: `${at}-${digest(String(first.title)).slice(0, 8)}`.replaceAll(':', '.'),
    createdAt: at,
    updatedAt: timeOf(group.at(-1)?.time),
    head: parent,
    nodes,
    rest: {},
    warnings: ['the file names no conversations: prompts within half an hour of each other are one'],
    skipped: [],
  }
}

const fileOf = ({ name, url }: Raw) => ({
  type: 'file',
  mediaType: /\.(png|jpe?g|gif|webp)$/i.test(String(url)) ? 'image/*' : 'application/octet-stream',
  name: (str(name) ?? String(url)).replace(/^[-\s]+/, ''),
  source: { kind: 'ref', id: String(url) },
})

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What the answers use of HTML; any other tag is left out, its words stay. The HTML itself is kept beside it. */
function markdownOf(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
    .replaceAll(/<pre\b[^>]*>(?:<code\b[^>]*>)?([\s\S]*?)(?:<\/code>)?<\/pre>/gi, '\n\n```\n$1\n```\n\n')
    .replaceAll(/<h([1-6])\b[^>]*>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<li\b[^>]*>/gi, '\n- ')
    .replaceAll(/<\/?(strong|b)\b[^>]*>/gi, '**')
    .replaceAll(/<\/?(em|i)\b[^>]*>/gi, '*')
    .replaceAll(/<\/?code\b[^>]*>/gi, '`')
    .replaceAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, '[$2]($1)')
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<\/?(p|div|ul|ol|table|blockquote|h[1-6])\b[^>]*>/gi, '\n\n')
    .replaceAll(/<\/tr>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
