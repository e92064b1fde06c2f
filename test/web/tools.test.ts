/** Tools in a chat: cards with what was asked and what came back, and a person who decides; and the page of their servers. */
import { afterEach, describe, expect, test } from 'vitest'
import { card, desk, opened, say, serversWith, visits, withDesk } from './tools.fixture.js'
import { blind } from './visit.js'

afterEach(async () => {
  await visits.end()
  for (const servers of opened.splice(0)) await servers.close()
})

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
})
