/** How an answer stands is said in words, and what to do about it is beside it. */
import type { Page } from 'playwright-core'
import { openVisits } from './visit.js'

export const visits = openVisits()

export const field = (page: Page) => page.locator('.composer textarea')

export const say = async (page: Page, text: string): Promise<void> => {
  await field(page).fill(text)
  await field(page).press('Enter')
}
