/** What is typed between the key that opens a search and the search itself: it is meant for the search. */
let typed: string | null = null
let end = 0

/** A search that has not come by then does not come. */
const patienceMs = 3_000

export function typeAhead(): void {
  if (typed === null) addEventListener('keydown', keep)
  typed = ''
  end = performance.now() + patienceMs
}

export const isAhead = (): boolean => typed !== null && performance.now() < end

export function takeAhead(): string {
  removeEventListener('keydown', keep)
  const words = typed ?? ''
  typed = null
  return words
}

function keep(event: KeyboardEvent): void {
  const { key, metaKey, ctrlKey, altKey } = event
  if (!isAhead() || key === 'Escape') takeAhead()
  else if (key.length === 1 && !metaKey && !ctrlKey && !altKey) {
    typed += key
    event.preventDefault()
  }
}
