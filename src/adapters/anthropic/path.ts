/** Paths of the memory tool: `/memories` and what is inside it, nothing else. */
import { refusal } from '../../store/shared/refuse.js'

const root = '/memories'

/** The names from the root down. Paths that leave the root are refused, however they are written. */
export function namesOf(path: unknown, field = 'path'): readonly string[] {
  if (typeof path !== 'string' || (path !== root && !path.startsWith(`${root}/`)))
    throw refusal('invalid', `Path must start with /memories, got: ${String(path)}`, { field, value: path })
  if (isCoded(path)) throw escapes(path, field)
  const names: string[] = []
  for (const name of path.slice(root.length).split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) throw escapes(path, field)
    } else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

/** `%2e%2e%2f` and `..\` mean nothing here; they are refused because they would elsewhere. */
const isCoded = (path: string): boolean => path.includes('\\') || /%(2e|2f|5c)/i.test(path)

const escapes = (path: string, field: string): Error =>
  refusal('invalid', `Path ${path} would escape /memories directory`, { field, value: path })
