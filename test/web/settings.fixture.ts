/** The settings in one place, and chats brought in from elsewhere. */
import { chatgptConversation, zipOf } from '../../src/transfer/import.fixture.js'
import { openVisits, type Visit } from './visit.js'

export const visits = openVisits()

export const hostile = '<img src=x onerror="globalThis.fired=1">'

const tea = chatgptConversation('c', [
  { id: 'u', parent: 'root', text: 'Which tea?' },
  { id: 'a', parent: 'u', role: 'assistant', text: `Oolong. ${hostile}` },
])

export const zip = Buffer.from(zipOf({ 'conversations.json': JSON.stringify([tea]) }))

export const openSettings = async ({ page }: Visit): Promise<void> => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Your data' }).waitFor()
}
