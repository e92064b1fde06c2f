/** Tools in a chat: cards with what was asked and what came back, and a person who decides; and the page of their servers. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { ModelRequest } from '../../src/models/wire/contract.js'
import { openToolServers, type ToolServer, type ToolServers } from '../../src/runs/tools/servers.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { modelsOf, scripted } from '../http/live-models.js'
import { openVisits } from './visit.js'

export const desk = fileURLToPath(new URL('./desk-server.mjs', import.meta.url))

export const visits = openVisits()

export const opened: ToolServers[] = []

export function serversWith(named: Readonly<Record<string, ToolServer>> = {}): ToolServers {
  const servers = openToolServers({
    ...{ store: memoryStore(), workspace: '$system', version: '1.0.0', programs: true, named },
    now: () => new Date().toISOString(),
  })
  opened.push(servers)
  return servers
}

/** What the last message's calls brought; null when it called nothing. */
export function broughtBy(items: ModelRequest['items']): string | null {
  const outcomes = items.at(-1)?.parts.flatMap((part) => (part.type === 'call' ? [part.outcome] : [])) ?? []
  const parts = outcomes.flatMap((outcome) => (outcome.state === 'pending' ? [] : outcome.output))
  return outcomes.length === 0 ? null : parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Calls `desk__note` for each question, and says what came back. */
export const noting = () =>
  scripted(async function* ({ items }) {
    const brought = broughtBy(items)
    if (brought !== null) {
      yield { type: 'text', text: `It said: \`${brought}\`` }
      yield { type: 'finish', reason: 'stop', usage: null }
      return
    }
    yield { type: 'text', text: 'Let me write that down.' }
    yield {
      type: 'call',
      id: `call-${items.length}`,
      name: 'desk__note',
      input: { text: `<b>${items.at(-1)?.text}</b>` },
    }
    yield { type: 'finish', reason: 'calls', usage: null }
  })

export const withDesk = async (approval: ToolServer['approval']) => {
  const toolServers = serversWith()
  await toolServers.add('desk', { address: { command: process.execPath, args: [desk] }, approval, tools: {} })
  return visits.visit({ models: modelsOf(noting()), toolServers })
}

export const say = async (page: Page, text: string): Promise<void> => {
  const field = page.locator('.composer textarea')
  await field.fill(text)
  await field.press('Enter')
}

export const card = (page: Page) => page.getByRole('region', { name: 'May it run desk__note?' })
