/**
 * Reading without a network. The app itself is kept as it was built; what was read of conversations is kept as it came,
 * in a store for each key, and given only when the service cannot be reached. What is deleted here is deleted there.
 */
/// <reference lib="webworker" />

/** Every file of the app, and a name that changes with them; the build writes both. */
declare const FILES: readonly string[]
declare const BUILD: string

const worker = self as unknown as ServiceWorkerGlobalScope
const shell = `throughline-shell-${BUILD}`
const reads = 'throughline-reads-'
/** Entries that are kept of what was read. */
const most = 600

const kept =
  /^\/api\/v1\/(?:conversations|labels|conversations\/[^/]+(?:\/(?:messages|outline|branches|tree|receipts|runs)(?:\/[^/]+)?)?|receipts\/[^/]+)$/
const conversation = /^\/api\/v1\/conversations\/([^/]+)/

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(shell)
      .then((cache) => cache.addAll(['/', ...FILES]))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('activate', (event) => {
  const rest = async (): Promise<void> => {
    for (const name of await caches.keys())
      if (name.startsWith('throughline-shell-') && name !== shell) await caches.delete(name)
    await worker.clients.claim()
  }
  event.waitUntil(rest())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== worker.location.origin) return
  if (request.method === 'DELETE' && conversation.test(pathname)) event.respondWith(removing(request, pathname))
  if (request.method !== 'GET' || request.headers.get('accept')?.includes('text/event-stream')) return
  if (pathname === '/') event.respondWith(fetch(request).catch(() => fromShell('/')))
  else if (FILES.includes(pathname)) event.respondWith(fromShell(pathname))
  else if (kept.test(pathname)) event.respondWith(reading(request))
})

const fromShell = async (path: string): Promise<Response> =>
  (await (await caches.open(shell)).match(path)) ?? fetch(path)

async function reading(request: Request): Promise<Response> {
  const name = await storeOf(request)
  try {
    const answer = await fetch(request)
    if (answer.ok && answer.headers.get('content-type')?.includes('json')) await keep(name, request, answer.clone())
    else if (answer.status === 401 || answer.status === 403) await caches.delete(name)
    else if (answer.status === 404 || answer.status === 410) await (await caches.open(name)).delete(request.url)
    return answer
  } catch (error) {
    const known = await (await caches.open(name)).match(request.url, { ignoreVary: true })
    if (known) return known
    throw error
  }
}

async function keep(name: string, request: Request, answer: Response): Promise<void> {
  const cache = await caches.open(name)
  await cache.delete(request.url)
  await cache.put(request.url, answer)
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - most))) await cache.delete(old)
}

/** Whoever comes with another key finds nothing here. */
async function storeOf(request: Request): Promise<string> {
  const key = request.headers.get('authorization') ?? ''
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)))
  return reads + [...hash.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function removing(request: Request, pathname: string): Promise<Response> {
  const answer = await fetch(request)
  const cache = await caches.open(await storeOf(request))
  const id = conversation.exec(pathname)?.[1]
  for (const one of answer.ok ? await cache.keys() : [])
    if (conversation.exec(new URL(one.url).pathname)?.[1] === id) await cache.delete(one)
  return answer
}
