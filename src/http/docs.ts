/** The API as one page without scripts, made from the routes. */
import { createHash } from 'node:crypto'
import { problems } from './kit/problem.js'
import type { Route } from './kit/route.js'
import { codesOf } from './openapi/responses.js'

export function docsPage(routes: readonly Route[]): { readonly html: string; readonly policy: string } {
  const tags = [...new Set(routes.map(({ tag }) => tag))]
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Throughline API</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Throughline API</h1>
<p>Also as an <a href="/openapi.json">OpenAPI 3.1 document</a>. Lists are <code>{"items": [], "next_cursor": null}</code>.
Errors are <a href="#problems">problems</a>. Keys go into <code>Authorization: Bearer prefix.secret</code> or <code>x-api-key</code>.</p>
<nav>${tags.map((tag) => `<a href="#${html(tag)}">${html(tag)}</a>`).join(' ')} <a href="#problems">problems</a></nav>
</header>
<main>
${tags.map((tag) => section(tag, routes)).join('\n')}
<section id="problems"><h2>problems</h2>
<p>RFC 9457, <code>application/problem+json</code>. <code>code</code> is stable; <code>errors</code> names the fields.</p>
<dl>${Object.entries(problems)
    .map(
      ([code, [status, title]]) => `<dt id="${code}"><b>${status}</b> <code>${code}</code></dt><dd>${html(title)}</dd>`,
    )
    .join('\n')}</dl>
</section>
</main>
</body>
</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html: page,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  }
}

const section = (tag: string, routes: readonly Route[]): string =>
  `<section id="${html(tag)}"><h2>${html(tag)}</h2>\n${routes
    .filter((route) => route.tag === tag)
    .map(article)
    .join('\n')}</section>`

function article(route: Route): string {
  const { name, method, path, summary, detail, scope, query, example } = route
  const fields = query ? Object.keys(query.shape) : []
  return `<details id="${html(name)}">
<summary><b class="${method}">${method.toUpperCase()}</b> <code>${html(path)}</code> <span>${html(summary)}</span></summary>
${detail === undefined ? '' : `<p>${html(detail)}</p>`}
<p>Scope: ${scope}.${fields.length > 0 ? ` Query: ${fields.map((field) => `<code>${html(field)}</code>`).join(' ')}.` : ''}
Answers: ${Object.keys(route.answers).join(', ')}. Problems: ${codesOf(route)
    .map((code) => `<a href="#${code}">${code}</a>`)
    .join(' ')}</p>
${example.body === undefined ? '' : `<pre>${html(JSON.stringify(example.body, null, 2))}</pre>`}
</details>`
}

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 15%, Canvas); --soft: color-mix(in srgb, CanvasText 60%, Canvas) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
code, pre { font: .875em/1.5 ui-monospace, monospace }
pre { background: color-mix(in srgb, CanvasText 6%, Canvas); padding: .75rem; overflow: auto }
nav { display: flex; flex-wrap: wrap; gap: .75rem }
details { border-top: 1px solid var(--line); padding: .5rem 0 }
summary { cursor: pointer; overflow-wrap: anywhere } summary span { color: var(--soft) }
summary b { display: inline-block; min-width: 4.5rem; font: 600 .8em ui-monospace, monospace }
dd { margin: 0 0 .5rem; color: var(--soft) }
:focus-visible { outline: 2px solid Highlight; outline-offset: 2px }
`
