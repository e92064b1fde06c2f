/** A formula: its source until it can be drawn, and where it cannot. */
import { lazy } from './lazy.js'

export const tex = lazy(() => import('./tex.js'))

export function Formula({ tex: source, display }: { readonly tex: string; readonly display: boolean }) {
  const drawn = tex.use(true)?.mathOf(source, display) ?? <code className="tex">{source}</code>
  return display ? <span className="formula">{drawn}</span> : drawn
}
