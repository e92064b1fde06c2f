/** The app: files that the build left in `dist/web`, read once and served from memory. What is not one of them is nothing. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Problem } from './kit/problem.js'
import { type Route, route } from './kit/route.js'

// the same place from src and from dist
const folder = fileURLToPath(new URL('../../dist/web/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // a picture in a message is its own bytes, and asks no one for anything
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f6f68"/><path d="M8 10h16M8 16h10M8 22h13" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`

export const webRoutes: readonly Route[] = [
  route({
    name: 'getApp',
    method: 'get',
    path: '/',
    tag: 'about',
    summary: 'The app; the docs where it was not built',
    scope: 'open',
    answers: { 200: { type: 'text/html', says: 'The page' }, 302: null },
    async handle() {
      const page = (await files()).get('index.html')
      if (!page) return new Response(null, { status: 302, headers: { location: '/docs' } })
      return new Response(page.plain, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'cache-control': 'no-cache',
        },
      })
    },
  }),
  route({
    name: 'getAsset',
    method: 'get',
    path: '/assets/{file}',
    tag: 'about',
    summary: 'A file of the app; its name changes with what is in it',
    scope: 'open',
    answers: { 200: { type: '*/*', says: 'The file, in its own type' } },
    example: { params: { file: 'icon.svg' } },
    async handle({ request, params }) {
      const { file } = params
      const type = types[file.slice(file.lastIndexOf('.') + 1)]
      const found = type === undefined ? undefined : (await files()).get(`assets/${file}`)
      if (!found || type === undefined) throw new Problem('not_found')
      const packed = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
      const hashed = /-[A-Z0-9]{8}\.\w+$/.test(file)
      return new Response(packed ? found.packed : found.plain, {
        headers: {
          'content-type': type,
          'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
          vary: 'accept-encoding',
          ...(packed && { 'content-encoding': 'gzip' }),
          // the worker that reads offline speaks for the whole app
          ...(file === 'sw.js' && { 'service-worker-allowed': '/', 'content-security-policy': policy }),
        },
      })
    },
  }),
]

interface File {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly packed: Uint8Array<ArrayBuffer>
}

type Files = ReadonlyMap<string, File>

let known: Promise<Files> | null = null

function files(): Promise<Files> {
  known ??= read().catch(async () => {
    // not built yet: the next request looks again
    known = null
    return new Map([['assets/icon.svg', await fileOf(iconBytes)]])
  })
  return known
}

async function read(): Promise<Files> {
  const names = ['index.html', ...(await readdir(`${folder}assets`)).map((name) => `assets/${name}`)]
  const entries = names.map(async (name) => [name, await fileOf(await readFile(folder + name))] as const)
  return new Map([...(await Promise.all(entries)), ['assets/icon.svg', await fileOf(iconBytes)]])
}

const fileOf = async (plain: Uint8Array): Promise<File> => ({
  plain: new Uint8Array(plain),
  packed: new Uint8Array(await promisify(gzip)(plain)),
})

const iconBytes = new TextEncoder().encode(icon)
