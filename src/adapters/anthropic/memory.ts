/** Anthropic's memory tool on a store: one record is one memory, so every command is one atomic change. */
import { refusal } from '../../store/shared/refuse.js'
import { type Base, type DeskOptions, deskOf, swap } from '../desk.js'
import { inserted, replaced } from './edit.js'
import { type Folder, isFile, nodeAt, withNode, withoutNode } from './tree.js'
import { folderText, snippet, viewText } from './view.js'

/** Which memory, on which store. */
export interface MemoryOptions extends DeskOptions {
  /** Which memory of the workspace, if it has several: one for each user, say. */
  readonly name?: string
}

/** What `betaMemoryTool` of `@anthropic-ai/sdk` takes. A refusal is thrown; the tool runner tells the model of it. */
export interface MemoryHandlers {
  view(command: { readonly path: string; readonly view_range?: readonly number[] | null }): Promise<string>
  create(command: { readonly path: string; readonly file_text: string }): Promise<string>
  str_replace(command: { readonly path: string; readonly old_str: string; readonly new_str: string }): Promise<string>
  insert(command: {
    readonly path: string
    readonly insert_line: number
    readonly insert_text: string
  }): Promise<string>
  delete(command: { readonly path: string }): Promise<string>
  rename(command: { readonly old_path: string; readonly new_path: string }): Promise<string>
}

const kind = 'memory'

/** Anthropic's memory tool on a store. @example betaMemoryTool(memoryHandlers({ store, name: 'ann' })) */
export function memoryHandlers(options: MemoryOptions): MemoryHandlers {
  const memory = { desk: deskOf(options), name: options.name ?? 'default' }
  return {
    async view({ path, view_range }) {
      const node = nodeAt((await read(memory)).root, namesOf(path))
      if (node === undefined) throw missing(path)
      return isFile(node) ? viewText(node, path, view_range) : folderText(node, path)
    },
    create: ({ path, file_text }) =>
      change(memory, (root) => {
        const names = namesOf(path)
        if (nodeAt(root, names) !== undefined)
          throw refusal('invalid', `File ${path} already exists`, { field: 'path', value: path })
        return { root: withNode(root, names, file_text), said: `File created successfully at: ${path}` }
      }),
    str_replace: ({ path, old_str, new_str }) =>
      change(memory, (root) => {
        const names = namesOf(path)
        const { text, line } = replaced(fileAt(root, names, path), old_str, new_str ?? '', path)
        return { root: withNode(root, names, text), said: snippet(text, line) }
      }),
    insert: ({ path, insert_line, insert_text }) =>
      change(memory, (root) => {
        const names = namesOf(path)
        const text = inserted(fileAt(root, names, path), insert_line, insert_text)
        return { root: withNode(root, names, text), said: `The file ${path} has been edited.` }
      }),
    delete: ({ path }) =>
      change(memory, (root) => {
        const names = namesOf(path)
        if (names.length === 0) throw refusal('invalid', 'Cannot delete the /memories directory itself')
        if (nodeAt(root, names) === undefined) throw gone(path)
        return { root: withoutNode(root, names), said: `Successfully deleted ${path}` }
      }),
    rename: ({ old_path, new_path }) =>
      change(memory, (root) => {
        const [from, to] = [namesOf(old_path, 'old_path'), namesOf(new_path, 'new_path')]
        if (from.length === 0) throw refusal('invalid', 'Cannot rename the /memories directory itself')
        if (nodeAt(root, to) !== undefined)
          throw refusal('invalid', `The destination ${new_path} already exists`, { field: 'new_path', value: new_path })
        const node = nodeAt(root, from)
        if (node === undefined) throw gone(old_path)
        if (from.every((name, i) => to[i] === name))
          throw refusal('invalid', `Cannot move ${old_path} into itself`, { field: 'new_path', value: new_path })
        const next = withNode(withoutNode(root, from), to, node)
        return { root: next, said: `Successfully renamed ${old_path} to ${new_path}` }
      }),
  }
}

interface Memory {
  readonly desk: Base
  readonly name: string
}

async function read({ desk, name }: Memory): Promise<{ readonly root: Folder; readonly revision: number | null }> {
  const record = await desk.store.getRecord(desk.workspace, kind, name)
  return record ? { root: record.body as Folder, revision: record.revision } : { root: {}, revision: null }
}

interface Changed {
  readonly root: Folder
  readonly said: string
}

async function change(memory: Memory, make: (root: Folder) => Changed): Promise<string> {
  const { desk, name } = memory
  return swap(async () => {
    const { root, revision } = await read(memory)
    const { root: body, said } = make(root)
    await desk.store.putRecord(desk.workspace, { kind, id: name, body, at: desk.env.now(), expect: revision })
    return said
  })
}

function fileAt(root: Folder, names: readonly string[], path: string): string {
  const node = nodeAt(root, names)
  if (node === undefined) throw missing(path)
  if (!isFile(node)) throw refusal('invalid', `The path ${path} is not a file.`, { field: 'path', value: path })
  return node
}

const missing = (path: string): Error =>
  refusal('not_found', `The path ${path} does not exist. Please provide a valid path.`, { field: 'path', value: path })

const gone = (path: string): Error =>
  refusal('not_found', `The path ${path} does not exist`, { field: 'path', value: path })

// paths of the memory tool: `/memories` and what is inside it, nothing else

const root = '/memories'

/** The names from the root down. Paths that leave the root are refused, however they are written. */
function namesOf(path: unknown, field = 'path'): readonly string[] {
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
