/** Anything on the screen may ask for something that stands over all of it. */

export type Asked = 'search' | 'share' | 'shortcuts' | 'import'

const name = 'throughline-ask'

export const ask = (what: Asked): boolean => dispatchEvent(new CustomEvent(name, { detail: what }))

export function heed(work: (what: Asked) => void): () => void {
  const heard = (event: Event): void => work((event as CustomEvent<Asked>).detail)
  addEventListener(name, heard)
  return () => removeEventListener(name, heard)
}
