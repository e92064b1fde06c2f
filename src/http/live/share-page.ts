/** A shared conversation as a page: no script, no cookie, nothing loaded from anywhere, and every word escaped. */
import type { SharedMessage, SharedView } from '../../operations/share.js'
import { mapSlowly } from '../../store/shared/turn.js'

export async function sharePage(view: SharedView): Promise<string> {
  const title = view.title.trim() || 'A shared conversation'
  const mode = view.mode === 'live' ? 'Shared as it goes on' : 'Shared as it was'
  const more = view.shortened ? '<p class="gap">Earlier messages are not shown.</p>' : ''
  // a long page is drawn while others are served
  const articles = await mapSlowly(view.messages, messageHtml)
  const body = articles.join('\n') || '<p class="gap">Nothing has been said yet.</p>'
  return page(
    title,
    `<header><p class="brand">${brand}Throughline</p><h1>${safe(title)}</h1>
<p>${mode}. Read only. The link ends on <time datetime="${safe(view.expires_at)}">${day(view.expires_at)}</time>.</p></header>
<main>${more}${body}</main>
<footer>Shared with Throughline. Tool calls, reasoning and files are not part of it.</footer>`,
  )
}

export const missingPage = (): Promise<string> =>
  page(
    'This link does not lead anywhere',
    `<main class="nothing">${brand}<h1>There is nothing here any more</h1>
<p>The link has ended, was taken back, or has lost a letter on its way to you.</p>
<p>Ask whoever sent it for a new one: it takes them a moment.</p></main>`,
  )

const brand =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 10h16M8 16h10M8 22h13"/></svg>'

async function messageHtml({ role, text, at, author, ai }: SharedMessage): Promise<string> {
  const speaker = author ?? (role === 'user' ? 'User' : ai === false ? 'Assistant (no AI)' : 'Assistant')
  const time = Number.isNaN(Date.parse(at))
    ? ''
    : `<time datetime="${safe(at)}">${safe(new Date(at).toISOString().slice(0, 16).replace('T', ' '))}</time>`
  const { htmlOf } = await still()
  return `<article class="${role}"><h2>${safe(speaker)} ${time}</h2>${htmlOf(text)}</article>`
}

const day = (at: string): string => safe(at.slice(0, 10))

const page = async (title: string, body: string): Promise<string> => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${safe(title)}</title>
<style>${await wholeStyle()}</style>
</head>
<body>
${body}
</body>
</html>
`

/** The app's colours and prose, and what the page has beside them. */
const wholeStyle = async (): Promise<string> => `${(await still()).style}${style}`

const style = `
* { box-sizing: border-box }
body {
  margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif;
}
.brand svg, .nothing svg { width: 1.25rem; height: 1.25rem; flex: none; fill: var(--accent) }
.brand path, .nothing path { fill: none; stroke: var(--paper); stroke-width: 3; stroke-linecap: round }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.75rem; padding-bottom: 1.25rem }
header p, footer, article time, .gap { color: var(--dim); font-size: .875rem; margin: 0 }
.brand { display: flex; align-items: center; gap: .5rem; margin-bottom: 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.015em; margin: 0 0 .35rem; overflow-wrap: anywhere }
article { margin: 0 0 1.5rem }
article.user { background: var(--user); border-radius: .75rem; padding: .75rem 1rem }
h2 { font-size: .875rem; margin: 0 0 .25rem }
a { color: var(--accent) }
time { font-weight: normal }
.prose p, .prose pre, .prose h3, .prose h4, .prose h5, .prose h6, .prose ul, .prose ol, .prose figure { margin-bottom: 0 }
.prose figure { margin-inline: 0 }
.prose > :first-child { margin-top: 0 }
.gap { margin-bottom: 1.5rem }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 1rem }
.nothing { min-height: 70vh; display: grid; place-content: center; justify-items: center; text-align: center }
.nothing svg { width: 2.5rem; height: 2.5rem; margin-bottom: 1rem }
.nothing p { color: var(--dim); margin: 0 }
@media print {
  :root { color-scheme: light }
  body { max-width: none; padding: 0; font-size: 11pt; background: none }
  article { break-inside: avoid-page }
  article.user { border: 1px solid var(--line); background: none }
  h2 { break-after: avoid }
}
`

let styleHash: Promise<string> | null = null

/** The page may use its own style and nothing else. */
export async function shareHeaders(): Promise<Record<string, string>> {
  styleHash ??= wholeStyle()
    .then((style) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)))
    .then((bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))))
  return {
    ...privateHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${await styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

/** The link is the key: it is not to be kept, passed on or found. */
export const privateHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
}

/** Markdown as the app draws it, which the build left beside the app. Where there is no app, words are plain. */

interface Drawing {
  readonly style: string
  htmlOf(text: string): string
}

/** From the doors that are shipped, and from the sources. */
const [shipped, built] = ['../web/still.js', '../../../dist/web/still.js'].map(
  (path) => new URL(path, import.meta.url).href,
)

let drawing: Promise<Drawing> | null = null

function still(): Promise<Drawing> {
  drawing ??= import(/* @vite-ignore */ `${shipped}`)
    .catch(() => import(/* @vite-ignore */ `${built}`))
    .catch(() => plain)
  return drawing
}

const plain: Drawing = { style: '', htmlOf: (text) => `<p>${safe(text)}</p>` }

const safe = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] as string)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
