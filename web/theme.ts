/** Light, dark, or as the system says. */
import { memory } from './api.js'

export type Theme = 'auto' | 'light' | 'dark'

export const theme = (): Theme => {
  const kept = memory.get('theme')
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

export function setTheme(wanted: Theme): void {
  memory.set('theme', wanted === 'auto' ? null : wanted)
  if (wanted === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = wanted
}
