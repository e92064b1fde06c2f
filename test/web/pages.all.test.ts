/** Everything around the conversation, in a real browser. */
import { afterEach, describe, expect, test } from 'vitest'
import { act, conversations, list, make, open, row, visits } from './pages.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('around the conversation', () => {
  test('a first run shows the demo, which says that it is one and goes in one click', async () => {
    const made = await open({ demo: true })
    const { page, faults } = made
    await page.getByRole('link', { name: 'Open the demo' }).click()
    await page.getByText('I can’t say where we sleep').waitFor()
    await page.getByText('answered by no AI').waitFor()
    await page.getByRole('complementary', { name: 'demo' }).getByRole('button', { name: 'Remove the demo' }).click()
    await page.getByText('is deleted').waitFor()
    await page.getByRole('heading', { name: 'See what the model really saw.' }).waitFor()
    expect(await row(page, 'Demo: a week in Kyoto').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('I can’t say where we sleep').waitFor()
    await page.getByRole('complementary', { name: 'demo' }).getByRole('button', { name: 'Remove the demo' }).click()
    await page.getByText('is deleted').waitFor()
    expect(await conversations(made)).toHaveLength(1)
    // leaving the page is no way to lose the wish
    await page.goto('about:blank')
    await expect.poll(() => conversations(made)).toEqual([])
    expect(faults.filter((fault) => !fault.includes('about:blank'))).toEqual([])
  })

  test('a deletion that no one heard of is carried out by the next page', async () => {
    const made = await open()
    await make(made, 'gone', 'To be gone')
    await make(made, 'stay', 'To stay')
    await made.page.evaluate("localStorage.setItem('throughline.leaving', '1 gone')")
    await made.page.reload()
    await row(made.page, 'To stay').waitFor()
    await expect.poll(async () => (await conversations(made)).map(({ id }) => id)).toEqual(['stay'])
    expect(await made.page.evaluate("localStorage.getItem('throughline.leaving')")).toBeNull()
  })

  test('archiving can be taken back, a conversation is exported from its menu, and the palette knows the newest', async () => {
    const made = await open()
    const { page, faults } = made
    await make(made, 'a', 'Apples')
    await made.host.call('POST', '/api/v1/conversations/a/messages', { body: { message: 'Granny **Smith**' } })
    await page.reload()
    await act(page, 'Apples', 'Archive')
    await page.getByText('“Apples” is in the archive.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Apples').waitFor()
    for (const [name, file, words] of [
      ['Export as Markdown', 'Apples.md', 'Granny **Smith**'],
      ['Export as JSON', 'Apples.json', 'throughline.conversation/1'],
    ] as const) {
      const saved = page.waitForEvent('download')
      await act(page, 'Apples', name)
      const download = await saved
      expect(download.suggestedFilename()).toBe(file)
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString('utf8')).toContain(words)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByText('Apples').click()
    await page.waitForURL(/#\/c\/a/)
    expect(faults).toEqual([])
  })

  test('ten thousand conversations are paged, and only those in sight are drawn', async () => {
    const made = await open()
    const { page, host, faults } = made
    const start = Date.now()
    const create = (i: number) =>
      host.store.create('default', {
        id: `c${i}`,
        title: `Conversation ${i}`,
        at: new Date(start - i * 3_600_000).toISOString(),
      })
    for (let i = 0; i < 10_000; i += 1_000)
      await Promise.all(Array.from({ length: 1_000 }, (_, more) => create(i + more)))
    await page.reload()
    await row(page, 'Conversation 0').waitFor()
    const box = page.locator('.side-list')
    const drawn = () => page.locator('.side-line').count()
    expect(await drawn()).toBeLessThan(80)
    for (let seen = 0; seen < 300; ) {
      await box.evaluate((one) => one.scrollTo(0, one.scrollHeight))
      await page.waitForTimeout(50)
      const titles = await page.locator('.side-line .row').allTextContents()
      seen = Math.max(...titles.map((title) => Number(/\d+/.exec(title)?.[0] ?? 0)))
    }
    expect(await drawn()).toBeLessThan(80)
    const heads = await page.locator('.side-line h2').allTextContents()
    expect(heads.every((head) => !['Today', 'Yesterday'].includes(head))).toBe(true)
    expect(faults).toEqual([])
  }, 120_000)

  test('usage is empty at first, then shows figures and the same in a table', async () => {
    const { page, host, faults } = await open()
    await list(page).getByRole('link', { name: 'Usage' }).click()
    await page.getByText('Nothing was sent to a model yet.').waitFor()
    for (const message of ['My cat is Miso.', 'What is my cat called?'])
      await host.call('POST', '/chat', { body: { session_id: 'cats', message } })
    await page.reload()
    const { body } = await host.call('GET', '/api/v1/usage')
    const tile = page.locator('.tiles > div', { hasText: 'Tokens sent' })
    await tile.getByText(body.totals.tokens_sent.toLocaleString('en')).waitFor()
    await page.getByText('As a table').first().click()
    await page.getByRole('row', { name: new RegExp(`${body.to} ${body.totals.tokens_sent} 0`) }).waitFor()
    expect(await page.title()).toBe('Usage · Throughline')
    expect(faults).toEqual([])
  })

  test('who answers is told, a wrong address is kind, keys are listed', async () => {
    const { page, faults } = await open()
    await list(page).getByRole('link', { name: 'Models' }).click()
    await page.getByText('builtin/extractive').waitFor()
    await page.getByText('Models cannot be connected here').waitFor()
    await page.goto(page.url().replace('#/models', '#/nowhere'))
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'Start a conversation' }).click()
    await page.getByRole('heading', { name: 'See what the model really saw.' }).waitFor()
    await page.keyboard.press('Control+/')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  test('search finds by meaning too, chosen with the keyboard', async () => {
    const made = await open()
    const { page, host, faults } = made
    await make(made, 'trip', 'Trip')
    const message = { role: 'user', content: 'The flight to Lisbon leaves at nine in the morning.' }
    await host.call('POST', '/api/v1/conversations/trip/messages', { body: { message } })
    await page.reload()
    await row(page, 'Trip').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('airplane departure')
    await page.getByText('No message or title has these words.').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.value')).toBe('keyword')
    await page.keyboard.press('ArrowDown')
    const hit = page.locator('.hit', { hasText: 'flight to Lisbon' })
    await hit.waitFor()
    expect(await hit.textContent()).toContain('meaning · You')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.locator('article[data-target="true"]').getByText('flight to Lisbon').waitFor()
    expect(faults).toEqual([])
  })

  test('no connection is told, and over when it is back', async () => {
    const { page, browser } = await open()
    await browser.context.setOffline(true)
    await page.getByRole('alert').getByText('This device is offline').waitFor()
    await browser.context.setOffline(false)
    await page.getByText('This device is offline').waitFor({ state: 'detached' })
  })

  test('a phone has the list behind a button, and nothing is wider than the screen', async () => {
    const { page, faults } = await open({ demo: true, width: 375, height: 720 })
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    await page.getByRole('link', { name: 'Open the demo' }).waitFor()
    expect(await fits()).toBe(true)
    await page.getByRole('button', { name: 'Show conversations' }).click()
    await row(page, 'Demo: a week in Kyoto').click()
    await page.getByText('I can’t say where we sleep').waitFor()
    expect(await fits()).toBe(true)
    for (const address of ['#/usage', '#/models', '#/nowhere']) {
      await page.evaluate(`location.hash = '${address}'`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await fits(), address).toBe(true)
    }
    expect(faults).toEqual([])
  })
})
