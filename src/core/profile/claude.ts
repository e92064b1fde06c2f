/** What changed between the generations of Claude, read off a model's name. */

/**
 * `manual`: thinking is asked for with a budget; `either`: with a budget or adaptively; `adaptive`: only adaptively;
 * `bound`: each signed block is also valid only behind the exact prefix it was written after.
 */
export type Thinks = 'never' | 'manual' | 'either' | 'adaptive' | 'bound'

export interface Claude {
  readonly line: string
  /** As in 4.6; a model without a minor number has .0. */
  readonly version: number
  readonly thinks: Thinks
}

const newName = /claude-([a-z]+)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/
const oldName = /claude-(\d+)(?:[-.](\d{1,2}))?(?!\d)(?:-([a-z]+))?/

/** Nothing for a model that is not a Claude, or whose name does not say which. */
export function claudeOf(model: string | undefined): Claude | undefined {
  const name = (model ?? '').toLowerCase()
  const [, line, major, minor] = newName.exec(name) ?? []
  if (major !== undefined) return claude(line ?? '', Number(`${major}.${minor ?? 0}`))
  const [, oldMajor, oldMinor, oldLine] = oldName.exec(name) ?? []
  return oldMajor === undefined ? undefined : claude(oldLine ?? '', Number(`${oldMajor}.${oldMinor ?? 0}`))
}

const claude = (line: string, version: number): Claude => ({ line, version, thinks: thinksOf(line, version) })

const isDeep = (line: string): boolean => line === 'fable' || line === 'mythos'

function thinksOf(line: string, version: number): Thinks {
  if (version < 3.7) return 'never'
  if (version < 4.6) return 'manual'
  if (version < 4.7) return 'either'
  return version >= (isDeep(line) ? 5.1 : 5.5) ? 'bound' : 'adaptive'
}

/** Thinking cannot be switched off. */
export const alwaysThinks = ({ line, version }: Claude): boolean =>
  isDeep(line) ? version >= 5 : line === 'opus' && version >= 5.5

/** Thinks when a request says nothing of it. */
export const thinksUnasked = ({ version }: Claude): boolean => version >= 5

/** A tool cannot be forced. */
export const refusesChoice = ({ line, version }: Claude): boolean =>
  isDeep(line) ? version >= 5.1 : line !== 'haiku' && version >= 5.5

/** Tokens below which nothing is cached; where sources differ, the larger number. */
export function leastCached(model: string | undefined): number {
  const claude = claudeOf(model)
  if (!claude) return 1_024
  const { line, version } = claude
  if (version >= 5) return line === 'fable' ? 2_048 : line === 'sonnet' ? 1_024 : 512
  if (version >= 4.5) return line === 'sonnet' ? (version > 4.5 ? 2_048 : 1_024) : 4_096
  return line === 'haiku' ? 2_048 : 1_024
}
