/** A model that nobody knows: the app says that its window is only assumed. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findModel } from '../../src/core/tokens/models.js'
import { modelsOf } from '../http/live-models.js'
import { answers, ask } from './inspector.fixture.js'
import { blind, openVisits, type Visit } from './visit.js'

describe.skipIf(blind !== null)('a model that nobody knows', () => {
  const visits = openVisits()
  let visit: Visit
  beforeAll(async () => {
    visit = await visits.visit({ models: modelsOf({ ...answers, facts: findModel('zork') }) })
  })
  afterAll(() => visits.end())

  test('has a window that is assumed, and said to be', async () => {
    const { page, client, host } = visit
    const { id } = await client.conversations.create({ title: 'Zork' })
    const run = await ask(client, id, 'Hello')
    await page.goto(`${host.url}/#/c/${id}?look=${run.message_id}`)
    await page.locator('.inspector').getByText('128k tokens are assumed').waitFor()
  })
})
