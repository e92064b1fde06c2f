/** A module that is loaded when it is wanted; what needs it is drawn again when it is there, and without it if it never comes. */
import { useEffect, useState } from 'react'

export function lazy<Module extends object>(load: () => Promise<Module>) {
  let loaded: Module | null = null
  let loading: Promise<Module> | null = null
  const wanted = (): Promise<Module> => {
    loading ??= load().then(
      (module) => {
        loaded = module
        return module
      },
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
  const use = (isWanted: boolean): Module | null => {
    const [ready, setReady] = useState(loaded)
    useEffect(() => {
      if (!isWanted || ready) return
      let here = true
      wanted().then(
        (module) => here && setReady(module),
        () => {},
      )
      return () => {
        here = false
      }
    }, [isWanted, ready])
    return isWanted ? ready : null
  }
  return { wanted, use }
}
