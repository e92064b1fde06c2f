import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../store/sqlite/driver.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build, desk, run } from '../cli.fixture.js'
import { filled } from './care.fixture.js'

beforeAll(build, 120_000)

test('verify of a file that is not there, or empty, fails and makes nothing (B4)', async () => {
  const path = join(desk().folder, 'none.db')
  expect((await run(['verify', '--all', '--db', path])).code).toBe(3)
  expect(existsSync(path)).toBe(false)
  writeFileSync(path, '')
  expect((await run(['verify', '--all', '--db', path])).code).not.toBe(0)
  expect(readFileSync(path).length).toBe(0)
})

describe('restore', () => {
  test('refuses a database that is in use, and a backup that is damaged', async () => {
    const path = await filled()
    const copy = join(dirname(path), 'copy.db')
    await run(['backup', copy, '--db', path])
    const store = await sqliteStore(path)
    await store.get('default', 'c')
    expect(await run(['restore', copy, '--db', path, '--force'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('in use'),
    })
    await store.close()
    const bytes = readFileSync(copy)
    bytes.fill(0, 4096, 8192)
    writeFileSync(copy, bytes)
    expect((await run(['restore', copy, '--db', path, '--force'])).code).toBe(1)
  })
})

test('repair makes a new file of what is left, and says what is not', async () => {
  const path = await filled()
  const db = await openDatabase(path)
  db.exec("pragma foreign_keys = off; delete from entry where id = 'e2'")
  db.close()
  const to = join(dirname(path), 'repaired.db')
  const told = await run(['repair', to, '--db', path])
  expect([told.code, told.stdout]).toEqual([1, expect.stringContaining('lost: default c: entry 3')])
  expect((await run(['verify', '--all', '--db', to])).code).toBe(0)
})

test('migrate brings a file up to date, and distributes none', async () => {
  const path = await filled()
  expect(await run(['migrate', '--db', path])).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' })
  const refused = await run(['migrate', '--distribute', '--db', path])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Citus')])
})

/** Only root can make a disk of its own. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mounts()
function mounts(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A command in a world where the folder of the file is on a disk of its own. */
function on(disk: 'read-only' | 'full', path: string, args: readonly string[]): string {
  const folder = join(dirname(path), 'disk')
  mkdirSync(folder, { recursive: true })
  const main = join(import.meta.dirname, '../../../dist/doors/cli.js')
  const spoil =
    disk === 'full' ? `dd if=/dev/zero of=${folder}/rest bs=1k 2>/dev/null` : `mount -o remount,ro ${folder}`
  const script = `mount -t tmpfs -o size=4m tmpfs ${folder} && cp ${path} ${folder}/log.db && { ${spoil}; true; } && exec "$@"`
  const words = [process.execPath, '--no-warnings', main, ...args, '--db', `${folder}/log.db`]
  return execFileSync('unshare', ['-m', 'bash', '-c', script, 'bash', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}

describe.runIf(canMount)('a disk that takes no writes can be read (B8)', () => {
  for (const disk of ['read-only', 'full'] as const)
    test(disk, async () => {
      const path = await filled()
      expect(on(disk, path, ['list'])).toContain('The harbour')
      expect(on(disk, path, ['export', 'c', '--to', 'md'])).toContain('The harbour at 4.')
      expect(on(disk, path, ['search', 'harbour'])).toContain('The «harbour» at 4.')
      expect(on(disk, path, ['verify', '--all'])).toContain('5 entries')
    })
})
