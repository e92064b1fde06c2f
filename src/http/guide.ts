/** The guides: the site that `npm run site` left in `site/dist`, read file by file when it is asked for. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Problem } from './kit/problem.js'
import { type Route, route } from './kit/route.js'

// the same place from src and from dist
const folder = fileURLToPath(new URL('../../site/dist/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
}

const about = {
  method: 'get',
  tag: 'about',
  summary: 'The guides, as pages and as text for models (llms.txt); the docs where they were not built',
  scope: 'open',
  answers: { 200: { type: '*/*', says: 'The page or file' }, 302: null },
} as const

export const guideRoutes: readonly Route[] = [
  route({ ...about, name: 'getGuide', path: '/guide', handle: () => to('/guide/') }),
  route({
    ...about,
    name: 'getGuideStart',
    path: '/guide/',
    handle: async () => ((await fileOf(['index'])) ? page('index') : to('/docs')),
  }),
  route({
    ...about,
    name: 'getGuidePage',
    path: '/guide/{rest}',
    example: { params: { rest: 'library' } },
    handle: ({ params }) => page(params.rest),
  }),
]

const to = (location: string): Response => new Response(null, { status: 302, headers: { location } })

async function page(path: string): Promise<Response> {
  const found = await fileOf(path.split('/'))
  if (found) return new Response(found.bytes, { headers: found.headers })
  const isBuilt = (await fileOf(['index'])) !== null
  const detail = isBuilt ? 'The guides have no such page' : 'The guides are not built: npm run site'
  throw new Problem('not_found', { detail })
}

async function fileOf(parts: readonly string[]) {
  if (!parts.every((part) => /^[\w@][\w.~-]*$/.test(part))) return null
  const path = parts.join('/')
  const name = /\.\w+$/.test(path) ? path : `${path}.html`
  const type = types[name.slice(name.lastIndexOf('.') + 1)]
  const bytes = type === undefined ? null : await readFile(folder + name).catch(() => null)
  if (!bytes || type === undefined) return null
  const isPage = name.endsWith('.html')
  const isHashed = name.startsWith('assets/')
  const headers = new Headers({
    'content-type': type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (isPage) headers.set('content-security-policy', policyFor(bytes.toString('utf8')))
  return { bytes: new Uint8Array(bytes), headers }
}

/** A page may run the scripts that were built into it, and no others. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    // the generator writes colours of code as style attributes
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
