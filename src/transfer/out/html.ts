/** One branch as a page of its own: no script, nothing loaded from anywhere, every word escaped. */
import type { Part } from '../../core/message/item.js'
import { isBase64 } from '../../core/message/text.js'
import type { Entry } from '../../store/contract/entry.js'
import { speaker } from './markdown.js'
import { type Exporting, pathIn } from './source.js'

export async function* inHtml(source: Exporting): AsyncGenerator<string> {
  const { title, createdAt } = source.conversation
  const name = safe(title.trim() || 'Conversation')
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${name}</title>\n<style>${style}</style>\n</head>\n<body>\n<main>\n<h1>${name}</h1>\n<p class="at">${safe(createdAt)}</p>\n`
  for (const entry of await pathIn(source)) yield await section(entry, source)
  yield '</main>\n</body>\n</html>\n'
}

async function section(entry: Entry, source: Exporting): Promise<string> {
  const name = speaker(entry)
  if (name === null) return ''
  const { body, at, redacted } = entry
  const parts: readonly Part[] = body.kind === 'result' ? body.output : body.kind === 'note' ? [] : body.parts
  const told = redacted ? ['<p><em>removed</em></p>'] : await Promise.all(parts.map((part) => shown(part, source)))
  const head = `<h2>${safe(name)} <small>${safe(at)}</small></h2>`
  return `<section class="${body.kind === 'message' ? body.role : body.kind}">\n${head}\n${told.join('\n')}\n</section>\n`
}

async function shown(part: Part, source: Exporting): Promise<string> {
  if (part.type === 'text') return `<div class="words">${safe(part.text)}</div>`
  if (part.type === 'think')
    return `<details><summary>Reasoning</summary><div class="words">${safe(part.text)}</div></details>`
  if (part.type === 'call') {
    const input = safe(JSON.stringify(part.input, null, 2) ?? '')
    return `<details open><summary>Calls ${safe(part.name)}</summary><pre>${input}</pre></details>`
  }
  const { source: from, mediaType, name = mediaType } = part
  if (from.kind === 'text') return `<details><summary>${safe(name)}</summary><pre>${safe(from.text)}</pre></details>`
  const data = await bytesOf(from, source)
  const isPicture = /^image\/(png|jpeg|gif|webp)$/.test(mediaType)
  return data && isPicture
    ? `<img alt="${safe(name)}" src="data:${mediaType};base64,${data}">`
    : `<p>File: ${safe(name)}</p>`
}

async function bytesOf(
  from: { readonly kind: string; readonly base64?: string; readonly id?: string },
  { store, workspace }: Exporting,
) {
  if (from.kind === 'data') return isBase64(from.base64 ?? '') ? from.base64 : undefined
  const blob = from.kind === 'ref' && from.id ? await store.getBlob(workspace, from.id) : null
  return blob ? Buffer.from(blob.bytes).toString('base64') : undefined
}

const safe = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const style = `:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;margin:0}
main{max-width:46rem;margin:2rem auto;padding:0 1rem}h2{font-size:.95rem;margin:1.6rem 0 .3rem}small,.at{font-weight:400;opacity:.65}
.words,pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}.user{border-left:3px solid;padding-left:.8rem}
.result,.summary,details{opacity:.85}img{max-width:100%}`
