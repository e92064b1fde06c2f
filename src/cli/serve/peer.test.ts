import { execFile, spawn } from 'node:child_process'
import { chmodSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, desk, run } from '../cli.fixture.js'
import { peerUid, uidIn } from './peer.js'
import { served } from './serve.fixture.js'

beforeAll(build, 120_000)

const nobody = 65_534
/** Another user can only be had by root, and only Linux tells whose a connection is. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0

describe('the user at the other end', () => {
  const line = (uid: number, inode: number) =>
    `   3: 0100007F:9C40 0100007F:1CA5 01 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 0 20 4`

  test('stands in the line of the system that is ours turned round', () => {
    expect(uidIn(`  sl  local\n${line(1000, 77)}\n`, 40_000, 7333)).toBe(1000)
    expect(uidIn(line(1000, 77), 7333, 40_000)).toBeNull()
    expect(uidIn(line(1000, 77), 40_001, 7333)).toBeNull()
  })

  test('is not told by a connection that is closed already: its line says root', () => {
    expect(uidIn(line(0, 0), 40_000, 7333)).toBeNull()
  })

  test.runIf(isRoot)('is found for a connection of another user', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const came = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const other = spawn('bash', ['-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r _`], { uid: nobody })
    expect(await peerUid(await came)).toBe(nobody)
    other.stdin.end()
    server.close()
  })
})

const asNobody = async (url: string, more: readonly string[] = []): Promise<string> => {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${new URL(url).port}; printf 'GET ${new URL(url).pathname} HTTP/1.1\\r\\nHost: localhost\\r\\n${more.join('')}Connection: close\\r\\n\\r\\n' >&3; cat <&3`
  return (await promisify(execFile)('bash', ['-c', script], { uid: nobody })).stdout
}

test.runIf(isRoot)('an open service is not open to another user of the machine (B15)', async () => {
  const at = desk()
  const server = await served(['--db', join(at.folder, 'private', 'log.db')])
  expect((await fetch(`${server.url}/api/v1/conversations`)).status).toBe(200)
  const refused = await asNobody(`${server.url}/api/v1/conversations`)
  expect(refused).toMatch(/^HTTP\/1.1 403 /)
  expect(refused).toContain('another user of this machine')
  expect(await asNobody(`${server.url}/health`)).toMatch(/^HTTP\/1.1 200 /)
  await server.stop()
})

test('the database, what stands beside it and its folder are their owner’s alone (B15)', async () => {
  const file = join(desk().folder, 'private', 'log.db')
  const server = await served(['--db', file])
  await fetch(`${server.url}/api/v1/conversations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect([mode(dirname(file)), mode(file), mode(`${file}-wal`)]).toEqual(['700', '600', '600'])
  await server.stop()
  chmodSync(file, 0o644)
  const { stdout } = await run(['doctor', '--db', file])
  expect(stdout).toContain('other users of this machine may open the file (mode 644)')
})
