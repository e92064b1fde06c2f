import { expect, test } from 'vitest'
import { agents } from './agents.js'
import { withLines, withoutLines } from './connect.js'
import { withFields, withoutFields } from './json-edit.js'

const url = 'http://127.0.0.1:7333'

test.each(Object.keys(agents))('what is written for %s is taken back to the byte', (name) => {
  const agent = agents[name]?.(url)
  if (agent?.kind === 'json') {
    const before = `${JSON.stringify({ env: { OTHER: '1' }, provider: { mine: {} }, theme: 'dark' }, null, 2)}\n`
    const after = withFields(before, agent.fields)
    expect(after).toContain(url)
    expect(withoutFields(after, agent.fields)).toBe(before)
    expect(withFields(after, agent.fields)).toBe(after)
  } else if (agent) {
    const before = 'model = "gpt-5.5"\n\n[analytics]\nenabled = false\n'
    const after = withLines(before, agent.lines)
    expect(after).toContain(url)
    expect(withoutLines(after)).toBe(before)
    expect(withLines(after, agent.lines)).toBe(after)
  } else throw new Error('there is no such agent')
})

test('a setting that someone changed since is theirs', () => {
  const [mine] = [{ env: { ANTHROPIC_BASE_URL: url } }]
  const changed = '{"env":{"ANTHROPIC_BASE_URL":"https://elsewhere"}}'
  expect(withoutFields(changed, mine)).toBe(changed)
})

test('the first line of Codex stands before any table', () => {
  const agent = agents.codex?.(url)
  if (agent?.kind !== 'lines') throw new Error('lines are expected')
  expect(withLines('[tui]\n', agent.lines).split('\n')[1]).toBe('model_provider = "throughline"')
})
