/** The language of the app's own words. English is in the code; another one is fetched before the first paint, and takes its place. */
import { memory } from './api.js'
import { setLocale } from './strings/number.js'

export const languages = { en: 'English', de: 'Deutsch' }

export type Language = keyof typeof languages

const isLanguage = (name: string | null): name is Language => name !== null && name in languages

/** As it was chosen, else the first of the browser's that there is. */
export function language(): Language {
  const kept = memory.get('language')
  if (isLanguage(kept)) return kept
  return navigator.languages.map((name) => name.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Every word of the page is another then: it is loaded again. */
export function setLanguage(wanted: Language): void {
  memory.set('language', wanted)
  location.reload()
}

export async function speak(): Promise<void> {
  const wanted = language()
  document.documentElement.lang = wanted
  if (wanted === 'en') return
  const { speakGerman } = await import('./strings/de.js')
  speakGerman()
  setLocale(wanted)
}
