/**
 * The fenced blocks of a Markdown text: `{ lang, info, body, line, from, to }`, where `from` and `to` are the
 * offsets of the body.
 */
export function fences(markdown) {
  const found = []
  let open
  let offset = 0
  for (const [index, line] of markdown.split('\n').entries()) {
    const next = offset + line.length + 1
    const fence = /^(`{3,}|~{3,})\s*(.*)$/.exec(line)
    if (open && fence && fence[2] === '' && fence[1].startsWith(open.fence)) {
      found.push({ ...open.block, body: markdown.slice(open.block.from, offset), to: offset })
      open = undefined
    } else if (!open && fence) {
      const [lang = '', ...info] = fence[2].split(/\s+/)
      open = { fence: fence[1], block: { lang, info, line: index + 1, from: next } }
    }
    offset = next
  }
  return found
}

const languages = ['ts', 'js', 'sh']

/** The snippets that are run, each with the `text output` block that follows it, if one does. */
export function snippets(markdown) {
  const blocks = fences(markdown)
  return blocks.flatMap((block, index) => {
    if (!languages.includes(block.lang) || !block.info.includes('run')) return []
    const after = blocks[index + 1]
    return [{ ...block, output: after?.lang === 'text' && after.info.includes('output') ? after : undefined }]
  })
}
