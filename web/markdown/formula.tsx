/** A formula: its source until it can be drawn, and where it cannot. */
import { useEffect, useState } from 'react'

type Tex = typeof import('./tex.js')

let loaded: Tex | null = null
let loading: Promise<Tex> | null = null

export function Formula({ tex, display }: { readonly tex: string; readonly display: boolean }) {
  const [ready, setReady] = useState(loaded)
  useEffect(() => {
    if (ready) return
    let here = true
    loading ??= import('./tex.js')
    loading.then(
      (module) => {
        loaded = module
        if (here) setReady(module)
      },
      () => {
        loading = null
      },
    )
    return () => {
      here = false
    }
  }, [ready])
  const drawn = ready?.mathOf(tex, display) ?? <code className="tex">{tex}</code>
  return display ? <span className="formula">{drawn}</span> : drawn
}
