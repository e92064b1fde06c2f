/** The service about itself: its OpenAPI document, and a page made from it. */
import { docsPage } from './docs.js'
import { json, type Route, route } from './kit/route.js'
import { openApi } from './openapi/document.js'

export const aboutRoutes: readonly Route[] = [
  route({
    name: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'about',
    summary: 'This API as an OpenAPI 3.1 document',
    scope: 'open',
    answers: { 200: { type: 'application/json', says: 'The document' } },
    handle: ({ frame }) => json(once(frame.routes).document, 200, { 'cache-control': 'no-cache' }),
  }),
  route({
    name: 'getDocs',
    method: 'get',
    path: '/docs',
    tag: 'about',
    summary: 'This API as a page to read',
    scope: 'open',
    answers: { 200: { type: 'text/html', says: 'The page' } },
    handle: ({ frame }) => {
      const { html, policy } = once(frame.routes).page
      return new Response(html, {
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
      })
    },
  }),
]

interface About {
  readonly document: ReturnType<typeof openApi>
  readonly page: ReturnType<typeof docsPage>
}

const made = new WeakMap<readonly Route[], About>()

function once(routes: readonly Route[]): About {
  const known = made.get(routes)
  if (known) return known
  const about = { document: openApi(routes), page: docsPage(routes) }
  made.set(routes, about)
  return about
}
