/** The end of a text that is still being written, closed as it will be, so that nothing flickers. */

export function calm(text: string): string {
  const fence = openFence(text)
  // the first marks of a closing fence are no code
  if (fence !== null) return text.replace(/\n[ \t]*(?:`{1,2}|~{1,2})$/, '')
  const at = text.lastIndexOf('\n\n') + 1
  return text.slice(0, at) + (tabled(text.slice(at)) ?? closed(text.slice(at)))
}

function openFence(text: string): string | null {
  let open: string | null = null
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (open === null && mark !== '') open = mark
    else if (open !== null && mark.startsWith(open) && line.trim() === mark) open = null
  }
  return open
}

/** A table is one from its first line on. */
function tabled(block: string): string | null {
  const lines = block.replace(/^\n+/, '').split('\n')
  const [head = '', rule = ''] = lines
  if (!head.startsWith('|') || lines.length > 2 || !/^[\s|:-]*$/.test(rule)) return null
  const cells = head.replace(/^\||\|\s*$/g, '').split('|')
  return `\n${head}\n|${cells.map(() => '---|').join('')}\n`
}

/** Emphasis and code that are open are closed; a link without its end is its words. */
function closed(block: string): string {
  const linked = unlinked(block)
  if (count(linked, '`') % 2 === 1) return `${linked.replace(/`$/, '')}${linked.endsWith('`') ? '' : '`'}`
  if (count(linked, '**') % 2 === 0) return linked.replace(/(^|\s)[*_]{1,2}$/, '$1')
  return /\*\*\s*$/.test(linked) ? linked.replace(/\*\*\s*$/, '') : `${linked.replace(/\s+$/, '').replace(/\*$/, '')}**`
}

/** Found from its end: a search for its beginning would begin again at every bracket. */
function unlinked(block: string): string {
  const end = block.lastIndexOf('](')
  if (end < 0 || /[)\s]/.test(block.slice(end + 2))) return block
  const from = 1 + Math.max(block.lastIndexOf(']', end - 1), block.lastIndexOf('\n', end - 1))
  const open = block.slice(from, end).indexOf('[') + from
  if (open < from) return block
  return block.slice(0, block[open - 1] === '!' ? open - 1 : open) + block.slice(open + 1, end)
}

const count = (text: string, mark: string): number => text.split(mark).length - 1
