/** What the memory tool shows of a folder or a file, in the words the model was trained on. */
import { refusal } from '../../store/shared/refuse.js'
import { type Folder, isFile, nodeSize } from './tree.js'

const mostLines = 999_999
const levels = 2

export function folderText(folder: Folder, path: string): string {
  const lines = [`${unitsOf(nodeSize(folder))}\t${path}`, ...listed(folder, path, 1)]
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join('\n')}`
}

function listed(folder: Folder, path: string, level: number): string[] {
  return Object.keys(folder)
    .sort()
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap((name) => {
      const node = folder[name] as Folder | string
      const line = `${unitsOf(nodeSize(node))}\t${path}/${name}`
      if (isFile(node)) return [line]
      return [`${line}/`, ...(level < levels ? listed(node, `${path}/${name}`, level + 1) : [])]
    })
}

export function viewText(text: string, path: string, range: readonly number[] | null | undefined): string {
  const lines = text.split('\n')
  if (lines.length > mostLines)
    throw refusal(
      'too_large',
      `File ${path} has too many lines (${lines.length}). Maximum is ${mostLines.toLocaleString('en-US')} lines.`,
    )
  const [from, to] = range?.length === 2 ? (range as [number, number]) : [1, -1]
  const start = Math.max(1, from)
  const shown = lines.slice(start - 1, to === -1 ? lines.length : to)
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, start)}`
}

/** The lines around a change. */
export function snippet(text: string, line: number): string {
  const first = Math.max(0, line - 2)
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(
    text.split('\n').slice(first, line + 3),
    first + 1,
  )}`
}

const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, i) => `${String(i + first).padStart(6, ' ')}\t${line}`).join('\n')

function unitsOf(bytes: number): string {
  if (bytes === 0) return '0B'
  const power = Math.floor(Math.log(bytes) / Math.log(1024))
  const size = bytes / 1024 ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${'BKMG'[power]}`
}
