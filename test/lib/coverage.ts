import type { Requirement, Room } from './requirement.js'
import { afterBracket, blank, literal } from './scan.js'
import type { Tree } from './tree.js'

export interface Coverage {
  /** Requirements of the rooms that stand, with no test that cites them. */
  readonly missing: readonly Requirement[]
  /** Ids that a test cites and the manifest does not have, as `path: id`. */
  readonly unknown: readonly string[]
}

export function coverage(requirements: readonly Requirement[], built: readonly Room[], tests: Tree): Coverage {
  const cited = Object.entries(tests).flatMap(([path, source]) => citations(source).map((id) => ({ path, id })))
  const known = new Set(requirements.map(({ id }) => id))
  const proved = new Set(cited.map(({ id }) => id))
  return {
    missing: requirements.filter(({ id, room }) => built.includes(room) && !proved.has(id)),
    unknown: cited.filter(({ id }) => !known.has(id)).map(({ path, id }) => `${path}: ${id}`),
  }
}

/** The ids in square brackets in the titles of a file's tests. A test that is skipped or still to be written proves nothing. */
export function citations(source: string): string[] {
  return titles(source).flatMap((title) => [...title.matchAll(/\[([A-Z]\d?-[A-Z]?\d+)\]/g)].map(([, id = '']) => id))
}

/** `S0-15` and `S0-F1` belong to S0, `T-07` to T. */
const specification = (id: string): string => id.split('-')[0] ?? id

/** What is missing, for people: a line for each requirement under the name of its specification. */
export function listing(missing: readonly Requirement[]): string {
  const names = [...new Set(missing.map(({ id }) => specification(id)))]
  return names
    .map((name) => {
      const group = missing.filter(({ id }) => specification(id) === name)
      return `${name} (${group.length})\n${group.map(({ id, says }) => `  ${id.padEnd(7)} ${says}`).join('\n')}`
    })
    .join('\n')
}

function titles(source: string): string[] {
  const code = blank(source)
  return [...code.matchAll(/(?<![.\w])(?:test|it)((?:\s*\.\s*\w+)*)\s*\(/g)].flatMap((match) => {
    const [call, chain = ''] = match
    return /\.\s*(skip|todo)\b/.test(chain) ? [] : titleAt(source, code, match.index + call.length - 1, chain)
  })
}

/** The title is the first argument; after `each` and `for` it is the first argument of the second call. */
function titleAt(source: string, code: string, bracket: number, chain: string): string[] {
  const table = /\.\s*(each|for)$/.test(chain)
  const call = table ? code.indexOf('(', afterBracket(code, bracket)) : bracket
  const quote = call + 1 + (/^\s*/.exec(code.slice(call + 1))?.[0].length ?? 0)
  return /['"`]/.test(code[quote] ?? '') ? [literal(source, quote)] : []
}
