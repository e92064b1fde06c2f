/** A memory as one value: a folder is an object, a file is its text. */
import { refusal } from '../../store/shared/refuse.js'

export interface Folder {
  readonly [name: string]: Node
}
export type Node = string | Folder

export const isFile = (node: Node | undefined): node is string => typeof node === 'string'

/** What stands at a path; undefined when nothing does. */
export function nodeAt(root: Folder, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root
  for (const name of path) {
    if (node === undefined || isFile(node)) return undefined
    node = Object.hasOwn(node, name) ? node[name] : undefined
  }
  return node
}

/** The same memory with a node at a path; folders on the way are made. */
export function withNode(root: Folder, path: readonly string[], node: Node): Folder {
  const [name, ...rest] = path
  if (name === undefined) return isFile(node) ? root : node
  if (rest.length === 0) return { ...root, [name]: node }
  const inner = Object.hasOwn(root, name) ? root[name] : {}
  if (isFile(inner)) throw refusal('invalid', `${name} is a file, and a file holds no others`, { field: 'path' })
  return { ...root, [name]: withNode(inner ?? {}, rest, node) }
}

/** The same memory without what stands at a path; the folder it stood in stays. */
export function withoutNode(root: Folder, path: readonly string[]): Folder {
  const [name, ...rest] = path
  if (name === undefined || !Object.hasOwn(root, name)) return root
  const { [name]: inner, ...others } = root
  if (rest.length === 0) return others
  return inner === undefined || isFile(inner) ? root : { ...root, [name]: withoutNode(inner, rest) }
}

/** Bytes of a file, or of all the files in a folder. */
export function nodeSize(node: Node): number {
  if (isFile(node)) return Buffer.byteLength(node)
  return Object.values(node).reduce((sum, inner) => sum + nodeSize(inner), 0)
}
