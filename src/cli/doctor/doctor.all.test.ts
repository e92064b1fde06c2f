import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, desk } from '../cli.fixture.js'
import { look } from './doctor.fixture.js'

beforeAll(build, 120_000)

describe('throughline doctor', () => {
  test('ticks only what it tried: a provider that may charge is not asked', async () => {
    const place = ['--db', join(desk().folder, 'chat.db'), '--port', '0', '--model', 'openai/gpt-4o']
    const { of } = await look(place, { OPENAI_API_KEY: 'sk-canary' })
    expect([of('models')?.state, of('answers')?.state]).toEqual(['untried', 'untried'])
    expect(of('answers')?.says).toContain('not asked')
    const { of: without } = await look(['--db', join(desk().folder, 'chat.db'), '--port', '0'])
    expect([without('models')?.state, without('answers')?.state]).toEqual(['ok', 'ok'])
  })

  test.each([
    ['database', ['--db', 'FOLDER'], {}],
    ['database', ['--db', 'postgres://nobody:canary@127.0.0.1:1/none'], {}],
    ['access', ['--host', '0.0.0.0'], {}],
    ['answers', ['--model', 'ollama/none'], { OLLAMA_HOST: '127.0.0.1:1' }],
    ['settings', [], { THROUGHLINE_PORT: 'x' }],
    ['port', ['--host', '203.0.113.7'], {}],
  ])('says what is wrong with the %s of %j and what to do, and ends with 1', async (name, args, more) => {
    const folder = join(desk().folder, 'folder')
    mkdirSync(folder)
    const given = args.map((arg) => (arg === 'FOLDER' ? folder : arg))
    const place = given.includes('--db') ? [] : ['--db', join(folder, 'chat.db')]
    const { code, of, findings } = await look([...given, ...place], more)
    expect([code, of(name)?.state]).toEqual([1, 'bad'])
    expect(of(name)?.fix).not.toBe('')
    expect(JSON.stringify(findings)).not.toContain('canary')
  })
})
