/** A shared conversation as a page: no script, no cookie, nothing loaded from anywhere, and every word escaped. */
import type { SharedMessage, SharedView } from './share.js'

export function sharePage(view: SharedView): string {
  const title = view.title.trim() || 'A shared conversation'
  const mode = view.mode === 'live' ? 'Shared as it goes on' : 'Shared as it was'
  const more = view.shortened ? '<p class="gap">Earlier messages are not shown.</p>' : ''
  const body = view.messages.map(messageHtml).join('\n') || '<p class="gap">Nothing has been said yet.</p>'
  return page(
    title,
    `<header><h1>${safe(title)}</h1><p>${mode}. Read only. The link ends on ${day(view.expires_at)}.</p></header>
<main>${more}${body}</main>
<footer>Shared with Throughline</footer>`,
  )
}

export const missingPage = (): string =>
  page(
    'No such page',
    '<header><h1>There is nothing here</h1><p>The link is wrong, has ended or was taken back.</p></header>',
  )

const safe = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] as string)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function messageHtml({ role, text, at, author, ai }: SharedMessage): string {
  const speaker = author ?? (role === 'user' ? 'User' : ai === false ? 'Assistant (no AI)' : 'Assistant')
  const time = Number.isNaN(Date.parse(at))
    ? ''
    : `<time datetime="${safe(at)}">${safe(new Date(at).toISOString().slice(0, 16).replace('T', ' '))}</time>`
  return `<article class="${role}"><h2>${safe(speaker)} ${time}</h2>${textHtml(text)}</article>`
}

/** Fenced code stands apart; everything else keeps the shape it was written in. */
function textHtml(text: string): string {
  const blocks: { readonly code: boolean; readonly lines: string[] }[] = [{ code: false, lines: [] }]
  let fence: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const ends: boolean = fence !== null && line.trim() === mark && mark.startsWith(fence)
    if (ends || (fence === null && mark !== undefined)) {
      fence = ends ? null : (mark as string)
      blocks.push({ code: !ends, lines: [] })
    } else blocks.at(-1)?.lines.push(line)
  }
  return blocks
    .map(({ code, lines }) => ({ code, said: code ? lines.join('\n') : lines.join('\n').trim() }))
    .filter(({ said }) => said !== '')
    .map(({ code, said }) => (code ? `<pre><code>${safe(said)}</code></pre>` : `<p>${safe(said)}</p>`))
    .join('')
}

const day = (at: string): string => safe(at.slice(0, 10))

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${safe(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`

const style = `
:root { color-scheme: light dark; --ink: #1d1d1f; --dim: #6b6b70; --paper: #fdfdfc; --card: #f3f3f0; --line: #e2e2dd }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9e9e6; --dim: #9a9a96; --paper: #17171a; --card: #222226; --line: #35353a }
}
* { box-sizing: border-box }
body {
  margin: 0 auto; max-width: 44rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif;
}
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 1rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere }
header p, footer, time, .gap { color: var(--dim); font-size: .875rem; margin: 0 }
article { margin: 0 0 1.5rem }
article.user { background: var(--card); border-radius: .75rem; padding: .75rem 1rem }
h2 { font-size: .875rem; margin: 0 0 .25rem }
time { font-weight: normal }
p, pre { margin: 0 0 .75rem; white-space: pre-wrap; overflow-wrap: anywhere }
article > :last-child { margin-bottom: 0 }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; font-size: .875rem }
article.user pre { background: var(--paper) }
.gap { margin-bottom: 1.5rem }
`

let styleHash: Promise<string> | null = null

/** The page may use its own style and nothing else. */
export async function shareHeaders(): Promise<Record<string, string>> {
  styleHash ??= crypto.subtle
    .digest('SHA-256', new TextEncoder().encode(style))
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
