/** Everything around the conversation, in a real browser. */
import type { Page } from 'playwright-core'
import { openVisits, type Visit, type VisitOptions } from './visit.js'

export const visits = openVisits()

export async function open({ width, height, ...options }: VisitOptions & Size = {}): Promise<Visit> {
  const made = await visits.visit(options, { ...(width && { width }), ...(height && { height }) })
  await made.page.getByRole('textbox', { name: 'Ask anything' }).waitFor()
  return made
}

export interface Size {
  readonly width?: number
  readonly height?: number
}

export const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })

export const row = (page: Page, title: string) => list(page).getByRole('link', { name: title })

export async function act(page: Page, title: string, action: string | RegExp): Promise<void> {
  await row(page, title).hover()
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  await page
    .locator('.menu:popover-open')
    .getByRole('button', { name: action, exact: typeof action === 'string' })
    .click()
}

export const conversations = async ({ host }: Visit, query = ''): Promise<readonly { id: string; title: string }[]> =>
  (await host.call('GET', `/api/v1/conversations?limit=100${query}`)).body.items

export const make = ({ host }: Visit, id: string, title: string, more: object = {}) =>
  host.call('POST', '/api/v1/conversations', { body: { id, title, ...more } })
