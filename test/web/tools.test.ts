/** Tools in a chat: cards with what was asked and what came back, and a person who decides; and the page of their servers. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../src/models/wire/contract.js'
import { openToolServers, type ToolServer, type ToolServers } from '../../src/runs/tools/servers.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { modelsOf, scripted } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const desk = fileURLToPath(new URL('./desk-server.mjs', import.meta.url))
const visits = openVisits()
const opened: ToolServers[] = []
afterEach(async () => {
  await visits.end()
  for (const servers of opened.splice(0)) await servers.close()
})

function serversWith(named: Readonly<Record<string, ToolServer>> = {}): ToolServers {
  const servers = openToolServers({
    ...{ store: memoryStore(), workspace: '$system', version: '1.0.0', programs: true, named },
    now: () => new Date().toISOString(),
  })
  opened.push(servers)
  return servers
}

/** What the last message's calls brought; null when it called nothing. */
function broughtBy(items: ModelRequest['items']): string | null {
  const outcomes = items.at(-1)?.parts.flatMap((part) => (part.type === 'call' ? [part.outcome] : [])) ?? []
  const parts = outcomes.flatMap((outcome) => (outcome.state === 'pending' ? [] : outcome.output))
  return outcomes.length === 0 ? null : parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Calls `desk__note` for each question, and says what came back. */
const noting = () =>
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

const withDesk = async (approval: ToolServer['approval']) => {
  const toolServers = serversWith()
  await toolServers.add('desk', { address: { command: process.execPath, args: [desk] }, approval, tools: {} })
  return visits.visit({ models: modelsOf(noting()), toolServers })
}

const say = async (page: Page, text: string): Promise<void> => {
  const field = page.locator('.composer textarea')
  await field.fill(text)
  await field.press('Enter')
}
const card = (page: Page) => page.getByRole('region', { name: 'May it run desk__note?' })

describe.skipIf(blind !== null)('a tool call in a chat', () => {
  test('waits on a card that shows what it would do, runs when it may, and shows what came back and how long it took', async () => {
    const { page, faults } = await withDesk('ask')
    await say(page, 'Milk')
    await card(page).getByText('Waiting for you').waitFor()
    expect(await card(page).locator('pre').textContent()).toContain('<b>Milk</b>')
    await page.reload()
    await card(page).getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('It said: Noted: <b>Milk</b>').waitFor()
    const done = page.locator('.tool[data-state="ok"]')
    await expect.poll(() => done.locator('.tool-state').textContent()).toMatch(/^Done/)
    await done.locator('summary').click()
    expect(await done.locator('pre').last().textContent()).toBe('Noted: <b>Milk</b>')
    expect(await page.locator('.message b', { hasText: 'Milk' }).count()).toBe(0)
    expect(await page.getByText('Let me write that down.').count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('that is denied does not run, and the model is told', async () => {
    const { page, host } = await withDesk('ask')
    await say(page, 'Milk')
    await card(page).getByRole('button', { name: 'Deny' }).click()
    await page.getByText('It said: the user did not allow this call').waitFor()
    await page.locator('.tool[data-state="denied"]').waitFor()
    const { body } = await host.call('GET', '/api/v1/tools')
    expect(body.items).toContainEqual(expect.objectContaining({ name: 'desk__note', approval: 'ask' }))
  })

  test('that is always allowed is asked about once, and others still are', async () => {
    const { page, client } = await withDesk('ask')
    await say(page, 'Milk')
    await card(page).getByRole('button', { name: 'Always allow' }).click()
    await page.getByText('It said: Noted: <b>Milk</b>').waitFor()
    await say(page, 'Bread')
    await page.getByText('It said: Noted: <b>Bread</b>').waitFor()
    expect(await card(page).count()).toBe(0)
    const approvals = Object.fromEntries((await client.tools()).items.map(({ name, approval }) => [name, approval]))
    expect(approvals).toEqual({ desk__note: 'always', desk__look: 'ask' })
  })

  test('shows the words of each step while it is written, and none of them twice', async () => {
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const model = scripted(async function* ({ items }) {
      if (broughtBy(items) !== null) {
        yield { type: 'text', text: 'Second step, first half' }
        await gate
        yield { type: 'text', text: ' and second half.' }
        yield { type: 'finish', reason: 'stop', usage: null }
        return
      }
      yield { type: 'text', text: 'First step.' }
      yield { type: 'call', id: 'c', name: 'desk__look', input: {} }
      yield { type: 'finish', reason: 'calls', usage: null }
    })
    const toolServers = serversWith({
      desk: { address: { command: process.execPath, args: [desk] }, approval: 'always', tools: {} },
    })
    const { page } = await visits.visit({ models: modelsOf(model), toolServers })
    await say(page, 'Go')
    await page.getByText('Second step, first half').waitFor()
    expect(await page.getByText('First step.').count()).toBe(1)
    expect(await page.locator('.tool').count()).toBe(1)
    open()
    await page.getByText('Second step, first half and second half.').waitFor()
    await expect.poll(() => page.getByText('Second step').count()).toBe(1)
  })
})

describe.skipIf(blind !== null)('the page of tools', () => {
  test('a server is tested, added, given leave by tool, and removed', async () => {
    const { page, client, faults } = await visits.visit({ toolServers: serversWith() })
    await page.getByRole('link', { name: 'Tools' }).click()
    const field = page.getByRole('textbox', { name: 'Command or address of an MCP server' })
    await field.fill(JSON.stringify({ mcpServers: { Desk: { command: process.execPath, args: [desk] } } }))
    expect(await page.getByLabel('Name').inputValue()).toBe('desk')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/Answered in \d+ ms, 2 tools offered/).waitFor()
    await page.getByText('Writes something down').waitFor()
    expect((await client.toolServers.list()).items).toEqual([])
    await page.getByRole('button', { name: 'Add desk' }).click()
    await page.getByText('desk was added.').waitFor()
    await page.getByRole('button', { name: 'Show its tools' }).click()
    await page.getByLabel('Before a tool runs: look').selectOption('Run at once')
    await expect
      .poll(async () => (await client.tools()).items.find(({ name }) => name === 'desk__look')?.approval)
      .toBe('always')
    await page.getByLabel('Before a tool runs: desk').selectOption('Never run')
    await expect
      .poll(async () => (await client.tools()).items.map(({ approval }) => approval))
      .toEqual(['never', 'always'])
    await page.getByRole('button', { name: 'Remove desk' }).click()
    await page.getByRole('button', { name: 'Remove it for good? desk' }).click()
    await page.getByText('desk was removed.').waitFor()
    expect((await client.toolServers.list()).items).toEqual([])
    expect(faults).toEqual([])
  })

  test('a server that does not start says so where it was typed, and one of the settings cannot be changed', async () => {
    const named = { own: { address: { command: process.execPath, args: [desk] }, approval: 'ask', tools: {} } } as const
    const { page } = await visits.visit({ toolServers: serversWith(named) })
    await page.goto(page.url().replace(/#.*|$/, '#/tools'))
    const field = page.getByRole('textbox', { name: 'Command or address of an MCP server' })
    await field.fill(`${process.execPath} -e process.exit(1)`)
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByRole('alert').getByText('the server cannot be used').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Set where the service was started').waitFor()
    expect(await page.getByLabel('Before a tool runs: own').isDisabled()).toBe(true)
    await field.fill('{"nothing": true}')
    await page.getByRole('alert').getByText('names no server').waitFor()
  })
})
