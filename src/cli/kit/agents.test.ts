import { expect, test } from 'vitest'
import { loadConfig } from '../../config/load.js'
import { agentSettings } from './agents.js'

const config = (settings: Readonly<Record<string, string>> = {}) => loadConfig({ env: settings }).config

test('without agent_roots the owner works anywhere, and a key nowhere (B1)', () => {
  expect(agentSettings(config(), 'owner').roots).toBe('any')
  expect(agentSettings(config(), 'key').roots).toEqual([])
  const confined = config({ THROUGHLINE_AGENT_ROOTS: '/srv/projects' })
  expect(agentSettings(confined, 'owner').roots).toEqual(['/srv/projects'])
  expect(agentSettings(confined, 'key').roots).toEqual(['/srv/projects'])
})

test('a key starts programs only where the settings say so', () => {
  expect(agentSettings(config(), 'key')).toMatchObject({ runner: 'model', runners: { claude: null } })
  expect(agentSettings(config({ THROUGHLINE_AGENT_COMMANDS: 'true' }), 'key').runner).toBe('claude')
})
