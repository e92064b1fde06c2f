/** What has the focus may vanish by what it did: the focus then goes to the way back, or to what is nearest. */
import { useEffect } from 'react'

const reachable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'

export function useKeptFocus(): void {
  useEffect(() => {
    let chain: readonly Element[] = []
    const came = ({ target }: FocusEvent): void => {
      chain = chainOf(target as Element)
    }
    const keep = (): void => {
      const [last] = chain
      if (last && !last.isConnected && document.activeElement === document.body)
        nearest(chain)?.focus({ preventScroll: true })
    }
    const watcher = new MutationObserver(keep)
    watcher.observe(document.body, { childList: true, subtree: true })
    addEventListener('focusin', came)
    return () => {
      watcher.disconnect()
      removeEventListener('focusin', came)
    }
  }, [])
}

/** It and everything around it, from the inside out. */
function chainOf(element: Element): readonly Element[] {
  const chain: Element[] = []
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) chain.push(one)
  return chain
}

function nearest(chain: readonly Element[]): HTMLElement | null {
  const undo = document.querySelector<HTMLElement>('.toast button')
  // what stands over everything keeps the focus
  if (undo && !document.querySelector('dialog:modal')) return undo
  for (const box of chain.filter((one) => one.isConnected)) {
    // a field would bring up the keyboard of a phone
    const field = matchMedia('(hover: hover)').matches ? box.querySelector<HTMLElement>('.composer textarea') : null
    const found =
      field ??
      [...box.querySelectorAll<HTMLElement>(reachable)].find((one) => !one.matches('.skip') && one.checkVisibility())
    if (found) return found
  }
  return document.querySelector('main')
}
