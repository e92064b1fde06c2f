import { describe, expect, test } from 'vitest'
import { recognise, serverName } from './recognise.js'

describe('what is pasted', () => {
  test.each([
    ['sk-ant-api03-abcdefgh', 'anthropic'],
    ['sk-or-v1-abcdefgh', 'openrouter'],
    ['sk-proj-abcdefgh', 'openai'],
    ['AIzaSyabcdefgh', 'google'],
    ['gsk_abcdefgh', 'groq'],
    ['xai-abcdefgh', 'xai'],
    ['0123456789abcdef', null],
  ])('%s is a key of %s', (key, provider) => {
    expect(recognise(key)).toEqual({ type: 'key', key, provider })
  })

  test.each([
    '  sk-ant-api03-abcdefgh\n',
    '"sk-ant-api03-abcdefgh"',
    'ANTHROPIC_API_KEY=sk-ant-api03-abcdefgh',
    "export ANTHROPIC_API_KEY='sk-ant-api03-abcdefgh'",
    'Authorization: Bearer sk-ant-api03-abcdefgh',
    'x-api-key: sk-ant-api03-abcdefgh',
  ])('%j is a key as it was found somewhere', (pasted) => {
    expect(recognise(pasted)).toEqual({ type: 'key', key: 'sk-ant-api03-abcdefgh', provider: 'anthropic' })
  })

  test.each([
    ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/v1'],
    ['localhost:11434', 'http://localhost:11434'],
    ['https://lab.example/v1/chat/completions', 'https://lab.example/v1'],
    ['https://lab.example/v1/models', 'https://lab.example/v1'],
    ['http://box:11434/api/tags', 'http://box:11434'],
  ])('%s is the address of a server', (pasted, url) => {
    expect(recognise(pasted)).toEqual({ type: 'url', url })
  })

  test.each(['', 'hello', 'two words here', 'http://user:secret@host/v1', 'http://['])('%j is neither', (pasted) => {
    expect(recognise(pasted).type).toBe('neither')
  })

  test('a server has a name that ids can begin with', () => {
    expect(serverName('http://127.0.0.1:8000/v1')).toBe('server-127-0-0-1-8000')
    expect(serverName('https://lab.example/v1')).toBe('lab-example')
  })
})
