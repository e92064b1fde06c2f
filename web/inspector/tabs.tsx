/** The sides from which a window can be looked at. One tab is in the order of the keys, the arrows reach the others. */
import type { KeyboardEvent } from 'react'
import { words } from '../strings/inspector.js'

export type Tab = keyof typeof words.tabs

const all = Object.keys(words.tabs) as readonly Tab[]

export const isTab = (name: string | null): name is Tab => all.includes(name as Tab)

export const panelOf = (tab: Tab) =>
  ({ id: 'inspector-panel', role: 'tabpanel', 'aria-labelledby': `tab-${tab}` }) as const

export function Tabs({ tab, turnTo }: { readonly tab: Tab; turnTo(tab: Tab): void }) {
  const press = (event: KeyboardEvent): void => {
    const next = nextOf(event.key, all.indexOf(tab), all.length)
    if (next === null) return
    event.preventDefault()
    const name = all[next] as Tab
    turnTo(name)
    document.getElementById(`tab-${name}`)?.focus()
  }
  return (
    <div role="tablist" className="tabs" aria-label={words.title} onKeyDown={press}>
      {all.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={tab === name}
          aria-controls="inspector-panel"
          tabIndex={tab === name ? 0 : -1}
          onClick={() => turnTo(name)}
        >
          {words.tabs[name]}
        </button>
      ))}
    </div>
  )
}

/** Where an arrow leads in a row of things; null for any other key. */
export function nextOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(count - 1, at + 1)
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}
