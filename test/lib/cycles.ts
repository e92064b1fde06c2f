import { posix } from 'node:path'
import { imports } from './boundaries.js'
import type { Tree } from './tree.js'

/** Folders that need each other, each with the import that closes the circle: `src/a -> src/a/b -> src/a`. */
export function folderCycles(tree: Tree): string[] {
  const needs = new Map<string, Set<string>>()
  for (const [path, source] of Object.entries(tree)) {
    const folder = posix.dirname(path)
    for (const { specifier } of imports(source)) {
      if (!specifier.startsWith('.')) continue
      const other = posix.dirname(posix.join(folder, specifier))
      if (other === folder) continue
      needs.set(folder, (needs.get(folder) ?? new Set()).add(other))
    }
  }
  const done = new Set<string>()
  const found: string[] = []
  const walk = (folder: string, way: readonly string[]): void => {
    const at = way.indexOf(folder)
    if (at >= 0) found.push([...way.slice(at), folder].join(' -> '))
    if (at >= 0 || done.has(folder)) return
    for (const next of needs.get(folder) ?? []) walk(next, [...way, folder])
    done.add(folder)
  }
  for (const folder of needs.keys()) walk(folder, [])
  return found
}
