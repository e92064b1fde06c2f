import { expect, test } from 'vitest'
import { loadConfig } from '../../config/load.js'
import { agentsOf } from './agents.js'

const config = (settings: Readonly<Record<string, string>> = {}) => loadConfig({ env: settings }).config

test('without agent_roots the owner works anywhere, and a key nowhere (B1)', () => {
  expect(agentsOf(config(), 'owner').roots).toBe('any')
  expect(agentsOf(config(), 'key').roots).toEqual([])
  const confined = config({ THROUGHLINE_AGENT_ROOTS: '/srv/projects' })
  expect(agentsOf(confined, 'owner').roots).toEqual(['/srv/projects'])
  expect(agentsOf(confined, 'key').roots).toEqual(['/srv/projects'])
})

test('a key starts programs only where the settings say so', () => {
  expect(agentsOf(config(), 'key')).toMatchObject({ runner: 'model', runners: { claude: null } })
  expect(agentsOf(config({ THROUGHLINE_AGENT_COMMANDS: 'true' }), 'key').runner).toBe('claude')
})
