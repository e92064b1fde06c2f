/** Whether the list is in sight: beside the rest where there is room, over it where there is not. */
import { useCallback, useState } from 'react'
import { memory } from './api.js'

/** Beside the inspector there is less room. */
const isNarrow = (): boolean =>
  matchMedia('(width <= 820px)').matches ||
  (matchMedia('(width <= 1280px)').matches && document.querySelector('.app[data-inspector="true"]') !== null)

export function useSide() {
  const [drawer, setDrawer] = useState(false)
  const [folded, setFolded] = useState(() => memory.get('folded') !== null)
  const fold = useCallback((next: boolean) => {
    memory.set('folded', next ? '1' : null)
    setFolded(next)
  }, [])
  const openList = useCallback(() => (isNarrow() ? setDrawer(true) : fold(false)), [fold])
  const toggle = (): void => (isNarrow() ? setDrawer(!drawer) : fold(!folded))
  return { drawer, folded, setDrawer, toggle, openList }
}
