import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { policiesOf } from './geometry.js'
import { ConfigError, type ConfigSources, loadConfig } from './load.js'
import { withoutPassword } from './place.js'
import { configJsonSchema, fields, names } from './schema.js'

const fileWith = (content: unknown): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'throughline-config-')), 'throughline.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const load = (sources: ConfigSources) => loadConfig({ env: {}, ...sources })

function problems(sources: ConfigSources): readonly string[] {
  try {
    load(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a setting', () => {
  test('comes from the flag, then the environment, then the file, then the defaults', () => {
    const file = fileWith({ port: 1, host: 'file', model: 'a/file', policy: 'agent-turns' })
    const env = { THROUGHLINE_PORT: '2', THROUGHLINE_HOST: 'env' }
    const { config, origins } = load({ flags: { port: '3' }, env, file })
    expect([config.port, config.host, config.policy, config.max_depth]).toEqual([3, 'env', 'agent-turns', 32])
    expect([origins.port, origins.host, origins.policy, origins.max_depth]).toEqual([
      '--port',
      'THROUGHLINE_HOST',
      file,
      'default',
    ])
  })

  test.each([
    ['db', 'DATABASE_URL', 'postgres://h/db'],
    ['anthropic_api_key', 'ANTHROPIC_API_KEY', 'k'],
    ['openai_api_key', 'OPENAI_API_KEY', 'k'],
    ['google_api_key', 'GOOGLE_GENERATIVE_AI_API_KEY', 'k'],
    ['ollama_host', 'OLLAMA_HOST', 'box:11434'],
    ['otel_endpoint', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318'],
  ] as const)('%s is also read from %s, behind the name of our own', (name, variable, value) => {
    expect(load({ env: { [variable]: value } }).config[name]).toBe(value)
    const own = `THROUGHLINE_${name.toUpperCase()}`
    const { config, origins } = load({ env: { [variable]: value, [own]: `${value}2` } })
    expect([config[name], origins[name]]).toEqual([`${value}2`, own])
  })

  test('of specification 4 has its bounds and defaults, and works under its own name [S4-12] [S4-13] [S4-14]', () => {
    const { config } = load({})
    const { fit, strategy } = policiesOf(config).session
    expect([fit.messages, fit.tokens, strategy]).toEqual([50, 6_000, 'truncate'])
    const env = { CONVERSATION_MAX_HISTORY_MESSAGES: '7', CONVERSATION_MAX_CONTEXT_TOKENS: '500' }
    const { session } = policiesOf(load({ env }).config)
    expect([session.fit.messages, session.fit.tokens]).toEqual([7, 500])
    expect(problems({ env: { CONVERSATION_MAX_CONTEXT_TOKENS: '499' } })[0]).toContain('from 500 to')
    expect(problems({ env: { CONVERSATION_MAX_HISTORY_MESSAGES: '0' } })[0]).toContain('from 1 to')
    expect(problems({ env: { CONVERSATION_CONTEXT_STRATEGY: 'forget' } })[0]).toContain('one of truncate, summarize')
  })

  test('that is empty in the environment is not set', () => {
    expect(load({ env: { THROUGHLINE_PORT: '', DATABASE_URL: '' } }).origins.port).toBe('default')
  })

  test.each([
    ['port', '65536', 'a whole number from 0 to 65535'],
    ['port', 'http', 'a whole number from 0 to 65535'],
    ['grace_seconds', '-1', 'a whole number from 0 to 600'],
    ['max_body_bytes', '12', 'a whole number from 1024 to 67108864'],
    ['log_level', 'loud', 'one of debug, info, warn, error, silent'],
    ['detect_models', 'maybe', 'true or false'],
    ['archive_after_days', '0', 'a whole number from 1 to 36500, or "off"'],
    ['public_url', 'ftp://x', 'an address that begins with http:// or https://'],
    ['providers', '{"lab":{}}', 'an object of providers'],
    ['overrides', 'fit', 'an object of policy fields'],
  ] as const)('%s of %s is refused with its name, its source and its bounds', (name, value, bounds) => {
    const variable = `THROUGHLINE_${name.toUpperCase()}`
    const [said = ''] = problems({ env: { [variable]: value } })
    for (const part of [name, variable, bounds]) expect(said).toContain(part)
  })

  test('that is wrong is not the only one that is told', () => {
    expect(problems({ env: { THROUGHLINE_PORT: 'x', THROUGHLINE_MAX_DEPTH: 'x' } })).toHaveLength(2)
  })

  test('that is a secret is never told', () => {
    const file = fileWith({ openai_api_key: { secret: 'canary' } })
    expect(problems({ file }).join()).not.toContain('canary')
    expect(problems({ file: fileWith('{"openai_api_key": "canary"') }).join()).not.toContain('canary')
    expect(withoutPassword('postgres://me:canary@host:5/db?password=canary')).toBe('postgres://me@host:5/db')
  })
})

describe('the file', () => {
  test('must be there when it is named, and hold an object', () => {
    expect(problems({ file: '/nowhere/at/all.json' })[0]).toContain('cannot be read')
    expect(problems({ file: fileWith('[]') })[0]).toContain('must hold a JSON object')
  })

  test('with a name that is not known is refused with the one that was meant', () => {
    const file = fileWith({ prot: 80, $schema: './throughline.schema.json' })
    expect(problems({ file })).toEqual([`prot, from ${file}, is no setting; did you mean port?`])
  })

  test('has a schema for editors: every setting with its default and what it does', () => {
    const { properties } = configJsonSchema() as {
      properties: Record<string, { default: unknown; description: string }>
    }
    expect(Object.keys(properties)).toEqual(names)
    for (const name of names) {
      expect(properties[name]?.default).toEqual(fields[name].usual)
      expect(properties[name]?.description).toBe(fields[name].says)
    }
    expect(properties.port).toMatchObject({ minimum: 0, maximum: 65_535, default: 7333 })
  })
})

describe('settings that cannot work together are refused', () => {
  test('when the reserves leave nothing of the tokens [L-18]', () => {
    const overrides = { fit: { covers: 'request', tokens: 2_000, reserve: { response: 2_000 } } }
    const [said = ''] = problems({ env: { THROUGHLINE_OVERRIDES: JSON.stringify(overrides) } })
    expect(said).toMatch(/^overrides, from THROUGHLINE_OVERRIDES: policy fit.reserve: leaves -?\d+ of 2000 tokens/)
  })

  test("when the reserves leave nothing of the usual model's window [L-18]", () => {
    const overrides = { fit: { reserve: { response: 128_000 } } }
    const env = { THROUGHLINE_MODEL: 'openai/gpt-4o', THROUGHLINE_OVERRIDES: JSON.stringify(overrides) }
    expect(problems({ env })[0]).toContain('of the 128000 tokens of openai/gpt-4o')
  })

  test('when there is no such policy', () => {
    expect(problems({ env: { THROUGHLINE_POLICY: 'balnced' } })[0]).toContain(
      "policy, from THROUGHLINE_POLICY: there is no policy 'balnced'",
    )
  })

  test('when the archive would be purged and nothing is archived', () => {
    expect(problems({ env: { THROUGHLINE_PURGE_AFTER_DAYS: '30' } })[0]).toContain('needs archive_after_days')
    expect(load({ env: { THROUGHLINE_ARCHIVE_AFTER_DAYS: 'off' } }).config.archive_after_days).toBe(null)
  })
})
