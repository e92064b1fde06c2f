/** Reading values that nobody has checked. */
import { isRaw, type Raw } from '../../core/message/dialects/read.js'

export type { Raw }
export { isRaw }

export const raw = (value: unknown): Raw => (isRaw(value) ? value : {})
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const raws = (value: unknown): readonly Raw[] => asList(value).filter(isRaw)

/** A text that is not empty. */
export const str = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The text of a message, or of its blocks. */
export const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : raws(content)
        .flatMap(({ text }) => str(text) ?? [])
        .join('\n')

/** An id: a text, or a whole number. */
export const asId = (value: unknown): string | undefined =>
  str(value) ?? (Number.isSafeInteger(value) ? String(value) : undefined)

/** Everything but these. */
export const without = (value: Raw, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** Below this a number is in seconds. */
const seconds = 100_000_000_000

/** Seconds, milliseconds or any text that is a time, in ISO form; undefined for what is none. */
export function timeOf(value: unknown): string | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' && typeof number !== 'string') return undefined
  const date = new Date(typeof number === 'number' && Math.abs(number) < seconds ? number * 1000 : number)
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 1
    ? undefined
    : date.toISOString()
}

/** The first line of what someone said, for conversations that have no title. */
export function titleFrom(text: string | undefined): string | undefined {
  const line = text
    ?.replaceAll(/<([a-z_-]+)>[\s\S]*?<\/\1>/g, ' ')
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '')
  return line === undefined ? undefined : [...line].slice(0, 80).join('')
}

/**
 * Parents before children, with what was left out bridged: a child of a node that is not kept follows the nearest kept
 * one above it. Circles and parents that do not exist make a beginning.
 */
export function treeOf<T extends { readonly id: string; readonly parent: string | null }>(
  nodes: readonly T[],
  parentOfSkipped: ReadonlyMap<string, string | null> = new Map(),
): T[] {
  const kept = new Map(nodes.map((node) => [node.id, node]))
  const parentOf = (id: string | null): string | null => {
    const seen = new Set<string>()
    let at = id
    while (at !== null && !kept.has(at)) {
      if (seen.has(at)) return null
      seen.add(at)
      at = parentOfSkipped.get(at) ?? null
    }
    return at
  }
  const out: T[] = []
  const state = new Map<string, 'open' | 'done'>()
  for (const node of kept.values()) {
    // up to what is placed already, then down again: no recursion, however long the path is
    const way: { readonly node: T; readonly parent: string | null }[] = []
    for (let at: T | undefined = node; at && !state.has(at.id); ) {
      state.set(at.id, 'open')
      const parent: string | null = parentOf(at.parent)
      const inCircle = parent !== null && state.get(parent) === 'open'
      way.push({ node: at, parent: inCircle ? null : parent })
      at = parent === null || inCircle ? undefined : kept.get(parent)
    }
    for (const { node: one, parent } of way.reverse()) {
      state.set(one.id, 'done')
      out.push(one.parent === parent ? one : { ...one, parent })
    }
  }
  return out
}
