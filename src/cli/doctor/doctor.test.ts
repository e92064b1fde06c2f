import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { askServer } from '../../../test/postgres/database.js'
import { build, desk, run } from '../cli.fixture.js'
import { env, look } from './doctor.fixture.js'

const postgres = await askServer()
beforeAll(build, 120_000)

describe('throughline doctor', () => {
  test('finds nothing wrong with a fresh place, and makes nothing there', async () => {
    const { folder } = desk()
    const db = join(folder, 'new', 'chat.db')
    const { code, findings, of } = await look(['--db', db, '--port', '0'])
    expect(findings.filter(({ state }) => state === 'bad')).toEqual([])
    expect(code).toBe(0)
    expect(of('database')?.says).toContain('will be made')
    expect(of('answers')?.says).toContain('no AI')
    expect(of('window')?.says).toContain('3 messages')
    const { stdout } = await run(['doctor', '--db', db], { env })
    expect(stdout).toMatch(/^✔ node +Node /m)
    expect(stdout).not.toContain('✖')
  })

  test('looks into a database that is there: writable, its format, its durability', async () => {
    const db = join(desk().folder, 'chat.db')
    await run(['keys', 'create', '--db', db])
    const { code, of } = await look(['--db', db, '--port', '0', '--host', '0.0.0.0'])
    expect([code, of('access')?.says]).toEqual([0, '1 key for 0.0.0.0'])
    expect(of('database')?.says).toMatch(/can be written; format \d+$/)
    expect(of('durability')?.says).toContain('synchronous=full')
  })

  test('warns of a PostgreSQL that would lose what it has said it keeps', async ({ skip }) => {
    if (!('url' in postgres)) return skip(postgres.reason)
    const { code, of } = await look(['--db', postgres.url, '--port', '0'])
    expect([code, of('durability')?.says]).toEqual([1, 'fsync is off: a crash can lose everything'])
    expect([of('database')?.state, of('row security')?.state, of('clock')?.state]).toEqual(['ok', 'ok', 'ok'])
  })
})

describe('throughline config', () => {
  test('prints what holds and where it comes from, and no secret', async () => {
    const { file, folder } = desk()
    file('throughline.json', { port: 4000, policy: 'agent-turns' })
    const env = { THROUGHLINE_PORT: '4001', OPENAI_API_KEY: 'canary', DATABASE_URL: 'postgres://me:canary@db/one' }
    const { stdout, code } = await run(['config', '--host', 'localhost'], { env, cwd: folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^port +4001 +THROUGHLINE_PORT$/m)
    expect(stdout).toMatch(/^policy +agent-turns +throughline\.json$/m)
    expect(stdout).toMatch(/^host +localhost +--host$/m)
    expect(stdout).toMatch(/^db +postgres:\/\/me@db\/one +DATABASE_URL$/m)
    expect(stdout).toMatch(/^openai_api_key +••• +OPENAI_API_KEY$/m)
    const { settings } = JSON.parse((await run(['config', '--json'], { env, cwd: folder })).stdout)
    expect(settings.port).toEqual({ value: 4001, from: 'THROUGHLINE_PORT' })
    expect(stdout + JSON.stringify(settings)).not.toContain('canary')
  })

  test('ends with 78 and the name, the source and the bounds of what is wrong', async () => {
    const { folder, file } = desk()
    const path = file('other.json', { conversation_max_context_tokens: 20 })
    for (const command of ['config', 'serve']) {
      const { code, stderr, stdout } = await run([command, '--config', path], { cwd: folder })
      expect([code, stdout]).toEqual([78, ''])
      expect(stderr).toContain(`conversation_max_context_tokens, from ${path}, must be a whole number from 500 to`)
    }
  })
})
