import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../lib/tree.js'
import { type Host, startService } from './host.js'

let host: Host
beforeAll(async () => {
  host = await startService()
})
afterAll(() => host.stop())

const built = existsSync(join(root, 'dist', 'web'))

test.skipIf(!built)('the app is a page that may load its own files and nothing else', async () => {
  const page = await host.call('GET', '/')
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  const files = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  // a style, an icon, a script and what it imports at once
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const path of files) {
    const file = await host.call('GET', path)
    expect(file.status).toBe(200)
    expect(file.headers.get('cache-control')).toBe(
      /\.(?:svg|webmanifest)$/.test(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
    )
  }
})

test.each([
  '../index.html',
  '..%2Findex.html',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  'index.html',
  '.env',
  'icon.svg%00.js',
])('there is no file %s', async (name) => {
  const answer = await fetch(`${host.url}/assets/${name}`, { redirect: 'manual' })
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('throughline"')
})
