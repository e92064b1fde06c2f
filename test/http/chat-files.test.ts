/** How much code one `POST /chat` runs through: files of src with a function that ran, counted by V8 itself. */
import { type Profiler, Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../lib/tree.js'
import { startService } from './host.js'

/** What it may grow to. */
const most = 98

/** The files of src in which a function was called; what only runs when a file is loaded does not count. */
const filesIn = ({ result }: Profiler.TakePreciseCoverageReturnType): string[] => {
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  const paths = ran.map(({ url }) => relative(root, url.replace(/^file:\/\//, '').replace(/\?.*$/, '')))
  return [...new Set(paths.filter((path) => /^src\/(?!testing\/).*\.ts$/.test(path)))].sort()
}

test(`a chat runs through at most ${most} files`, async () => {
  const host = await startService({ store: 'sqlite' })
  const chat = async () => {
    const body = { session_id: 'c', message: 'Who owns the Cincinnati service?' }
    expect((await host.call('POST', '/chat', { body })).status).toBe(200)
  }
  // the first one of a process opens what the others find open
  await chat()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await chat()
  const files = filesIn(await session.post('Profiler.takePreciseCoverage'))
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  await host.stop()
  expect(files).toContain('src/http/live/chat-routes.ts')
  expect(files).toContain('src/core/window/assemble.ts')
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most)
})
