/** Tools in a chat: cards with what was asked and what came back, and a person who decides; and the page of their servers. */
import { afterEach, describe, expect, test } from 'vitest'
import { modelsOf, scripted } from '../http/live-models.js'
import { broughtBy, card, desk, opened, say, serversWith, visits, withDesk } from './tools.fixture.js'
import { blind } from './visit.js'

afterEach(async () => {
  await visits.end()
  for (const servers of opened.splice(0)) await servers.close()
})

describe.skipIf(blind !== null)('a tool call in a chat', () => {
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
