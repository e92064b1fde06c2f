/** The words of a message as HTML: escaped first, then given the few shapes that people write. */

export const safe = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] as string)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Fenced code stands apart; lists, quotes and tables are what they look like. */
export function textHtml(text: string): string {
  const blocks: { readonly code: boolean; readonly lines: string[] }[] = [{ code: false, lines: [] }]
  let fence: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const ends: boolean = fence !== null && line.trim() === mark && mark.startsWith(fence)
    if (ends || (fence === null && mark !== undefined)) {
      fence = ends ? null : (mark as string)
      blocks.push({ code: !ends, lines: [] })
    } else blocks.at(-1)?.lines.push(line)
  }
  return blocks
    .map(({ code, lines }) => ({ code, said: code ? lines.join('\n') : lines.join('\n').trim() }))
    .filter(({ said }) => said !== '')
    .map(({ code, said }) =>
      code
        ? `<pre><code>${safe(said)}</code></pre>`
        : said
            .split(/\n[ \t]*\n+/)
            .map(paragraph)
            .join(''),
    )
    .join('')
}

function paragraph(said: string): string {
  const lines = said.split('\n')
  const heading = /^(#{1,6}) +(.+?) *#*$/.exec(lines[0] as string)
  if (heading) {
    // the page's own headings are above those of a message
    const level = Math.min(6, (heading[1] as string).length + 2)
    const rest = lines.slice(1).join('\n').trim()
    return `<h${level}>${inline(heading[2] as string)}</h${level}>${rest === '' ? '' : paragraph(rest)}`
  }
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/.test(said)) return '<hr>'
  const list = lines.findIndex((line) => /^\s*(?:[-*]|\d+[.)]) /.test(line))
  if (list > 0) return paragraph(lines.slice(0, list).join('\n')) + paragraph(lines.slice(list).join('\n'))
  if (lines.every((line) => /^\s*\d+[.)] /.test(line)))
    return `<ol>${lines.map((line) => `<li>${inline(line.replace(/^\s*\d+[.)] /, ''))}</li>`).join('')}</ol>`
  if (lines.every((line) => /^\s*[-*] /.test(line)))
    return `<ul>${lines.map((line) => `<li>${inline(line.replace(/^\s*[-*] /, ''))}</li>`).join('')}</ul>`
  if (lines.every((line) => line.startsWith('>')))
    return `<blockquote><p>${lines.map((line) => inline(line.replace(/^> ?/, ''))).join('\n')}</p></blockquote>`
  if (lines.length > 1 && lines.every((line) => /^\|.*\|$/.test(line.trim())) && /^[\s|:-]+$/.test(lines[1] as string))
    return table(lines)
  return `<p>${lines.map(inline).join('\n')}</p>`
}

function table([head, , ...rows]: readonly string[]): string {
  const cells = (line: string, tag: 'th' | 'td'): string =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cells(head as string, 'th')}</tr></thead><tbody>${body}</tbody></table>`
}

/** Only fixed tags are added to what is escaped already. */
const inline = (text: string): string =>
  safe(text)
    .split(/(`[^`]+`)/)
    .map((piece, i) => (i % 2 === 1 ? `<code>${piece.slice(1, -1)}</code>` : emphasised(piece)))
    .join('')

const emphasised = (text: string): string =>
  text
    .replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s()]+)\)/g, '<a href="$2" rel="noopener noreferrer nofollow">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![*\w])\*([^*\s][^*]*)\*(?![*\w])/g, '<em>$1</em>')
