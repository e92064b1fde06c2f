// Processes whose time of day is ten minutes behind, ten minutes ahead, or jumps by up to an hour.
const wrong = ['-600', '600', 'jumps']

/** What to add to the environment of the process of this number; nothing where no clock is wrong. */
export function skewed(isSkewed, number) {
  if (!isSkewed) return {}
  const shim = new URL('./clock.mjs', import.meta.url).href
  return { FAULT_CLOCK: wrong[number % wrong.length], NODE_OPTIONS: `--import=${shim}` }
}
