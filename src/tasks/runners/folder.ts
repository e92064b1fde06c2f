/** Where an agent may work. Until it is deployed, the folder of a task is only a string. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { invalid } from '../record/refuse.js'

/** Folders that agents may work in, with everything below them; an empty list allows no folder at all. */
export type Roots = readonly string[] | 'any'

/** The real path of a folder that exists, is absolute, and lies inside one of the roots. */
export async function workFolder(folder: string, roots: Roots): Promise<string> {
  if (!isAbsolute(folder)) throw refused('must be an absolute path')
  const real = await realpath(folder).catch(() => null)
  const facts = real === null ? null : await stat(real).catch(() => null)
  // outside of the roots it is not told what exists
  if (roots !== 'any' && !(await isInOneOf(roots, real ?? folder))) throw refused(outside(roots))
  if (real === null || !facts) throw refused('does not exist')
  if (!facts.isDirectory()) throw refused('is no folder')
  return real
}

const outside = (roots: readonly string[]): string =>
  roots.length > 0
    ? 'is outside of the allowed folders'
    : 'names a folder, and agents may not work in any folder here: the operator allows some with agent_roots'

async function isInOneOf(roots: readonly string[], path: string): Promise<boolean> {
  for (const root of roots) if (isInside(await realpath(root).catch(() => root), path)) return true
  return false
}

/** Both are real paths: nothing is resolved here. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

const refused = (what: string): Error =>
  invalid([{ code: 'task.folder', field: 'client_cwd', message: `client_cwd ${what}`, type: 'invalid_value' }])
