// The pages of the site, made of the pages of docs/: links between them stay, links into the sources become plain words.
import { posix } from 'node:path'

const aliases = { '../GLOSSARY.md': 'glossary.md', '../CHANGELOG.md': 'changelog.md', '../README.md': 'index.md' }

/** @param {Record<string, string>} files text by path below docs/ */
export function collected(files) {
  const all = { ...files, 'decisions.md': decisionsPage(files) }
  return Object.entries(all).map(([path, text]) => {
    const body = plainFences(linked(path, text, all))
    return { path, title: titleOf(body, path), summary: summaryOf(body), text: body }
  })
}

/** A link that leads to no page of the site is its words alone. */
function linked(path, text, files) {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, words, target) => {
    if (image || /^[a-z]+:|^#/.test(target)) return whole
    const [file, hash = ''] = target.split('#')
    const meant = posix.join(posix.dirname(path), file)
    const page = aliases[meant] ?? (meant in files ? meant : `${meant.replace(/\/$/, '')}.md`)
    if (!(page in files)) return words
    return `[${words}](/${page}${hash && `#${hash}`})`
  })
}

/** `ts run` and `text output` are for the checker of the pages, not for the reader. */
const plainFences = (text) => text.replace(/^(\s*```)(ts|js|sh|text)( [\w ]+)$/gm, '$1$2')

function decisionsPage(files) {
  const rows = Object.entries(files)
    .filter(([path]) => /^decisions\/\d/.test(path))
    .map(([path, text]) => `- [${titleOf(text, path)}](${path})`)
  return `# Decisions\n\nWhy it is built as it is, oldest first.\n\n${rows.join('\n')}\n`
}

const titleOf = (text, path) => /^# (.+)$/m.exec(text)?.[1] ?? (/^ {2}name: (.+)$/m.exec(text)?.[1] || path)

/** The first paragraph of prose. */
function summaryOf(text) {
  const prose = text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Za-z*`“[]/.test(block))
  return (prose ?? '').replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

const address = (path) => `/guide/${path.replace(/(index)?\.md$/, '')}`

/** As https://llmstxt.org describes it. */
export const llms = (pages) =>
  [
    '# Throughline',
    '',
    '> Conversation continuity for LLM agents: takes history from anywhere, keeps it append-only on SQLite or PostgreSQL, and makes exactly the context a model should see, with a receipt for every window.',
    '',
    '## Pages',
    '',
    ...pages
      .filter(({ path }) => path !== 'index.md' && !path.startsWith('decisions/'))
      .map(({ path, title, summary }) => `- [${title}](${address(path)}): ${summary}`),
    '',
  ].join('\n')

export const llmsFull = (pages) =>
  pages
    .filter(({ path }) => path !== 'index.md' && !path.startsWith('decisions/'))
    .map(({ path, text }) => `<!-- ${address(path)} -->\n\n${text.trim()}\n`)
    .join('\n')
