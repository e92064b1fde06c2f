/** Markdown as React elements and nothing else: no HTML of the author's passes, nothing is fetched. */
import { createElement, memo, type ReactNode, useState } from 'react'
import { strings } from './strings.js'

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="prose">{blocks(text.split(/\r\n|\r|\n/))}</div>
})

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const bullet = /^( *)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const divider = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/

function blocks(lines: readonly string[], depth = 0): ReactNode[] {
  const out: ReactNode[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string
    const key = out.length
    const opened = fence.exec(line)
    if (line.trim() === '') at++
    else if (opened) {
      const mark = opened[1] as string
      let end = at + 1
      while (end < lines.length && !closes(lines[end] as string, mark)) end++
      out.push(<Code key={key} language={opened[2] ?? ''} text={lines.slice(at + 1, end).join('\n')} />)
      at = end + 1
    } else if (heading.test(line)) {
      const [, marks = '', said = ''] = heading.exec(line) ?? []
      const Tag = `h${Math.min(6, marks.length + 2)}` as 'h3'
      out.push(<Tag key={key}>{inline(said)}</Tag>)
      at++
    } else if (rule.test(line)) {
      out.push(<hr key={key} />)
      at++
    } else if (/^ {0,3}>/.test(line) && depth < 8) {
      const end = until(lines, at, (one) => /^ {0,3}>/.test(one))
      const inner = lines.slice(at, end).map((one) => one.replace(/^ {0,3}> ?/, ''))
      out.push(<blockquote key={key}>{blocks(inner, depth + 1)}</blockquote>)
      at = end
    } else if (bullet.test(line) && depth < 8) {
      const end = until(
        lines,
        at,
        (one, index) => bullet.test(one) || /^ {2,}\S/.test(one) || (one.trim() === '' && goesOn(lines, index)),
      )
      out.push(list(lines.slice(at, end), depth, key))
      at = end
    } else if (line.includes('|') && divider.test(lines[at + 1] ?? '')) {
      const end = until(lines, at, (one) => one.includes('|'))
      out.push(table(lines.slice(at, end), key))
      at = end
    } else {
      const end = until(lines, at, (one, index) => one.trim() !== '' && (index === at || !begins(one)))
      out.push(<p key={key}>{inline(lines.slice(at, end).join('\n'))}</p>)
      at = end
    }
  }
  return out
}

const closes = (line: string, mark: string): boolean => {
  const said = line.trim()
  return said.startsWith(mark) && said.replaceAll(mark[0] as string, '') === ''
}

const begins = (line: string): boolean =>
  fence.test(line) || heading.test(line) || rule.test(line) || bullet.test(line) || /^ {0,3}>/.test(line)

const goesOn = (lines: readonly string[], blank: number): boolean =>
  /^( {2,}\S| *(?:[-*+]|\d{1,9}[.)])\s)/.test(lines[blank + 1] ?? '')

function until(lines: readonly string[], from: number, holds: (line: string, index: number) => boolean): number {
  let end = from
  while (end < lines.length && holds(lines[end] as string, end)) end++
  return Math.max(end, from + 1)
}

function list(lines: readonly string[], depth: number, key: number): ReactNode {
  const first = bullet.exec(lines[0] ?? '')
  const indent = first?.[1]?.length ?? 0
  const items: string[][] = []
  for (const line of lines) {
    const found = bullet.exec(line)
    if (found && (found[1]?.length ?? 0) <= indent + 1) items.push([found[4] ?? ''])
    else items.at(-1)?.push(line.replace(new RegExp(`^ {0,${indent + 3}}`), ''))
  }
  const inner = items.map((item, index) => {
    const [only] = item
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of a list is its identity
    return <li key={index}>{item.length === 1 ? inline(only ?? '') : blocks(item, depth + 1)}</li>
  })
  if (first?.[3] === undefined) return <ul key={key}>{inner}</ul>
  return (
    <ol key={key} start={Number(first[3])}>
      {inner}
    </ol>
  )
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

function table([head = '', , ...rows]: readonly string[], key: number): ReactNode {
  return (
    <div className="scroll" key={key}>
      <table>
        <thead>{cells('th', head, 0)}</thead>
        <tbody>{rows.map((row, at) => cells('td', row, at))}</tbody>
      </table>
    </div>
  )
}

/** The order of a table is its identity. */
const cells = (Tag: 'th' | 'td', line: string, row: number): ReactNode => (
  <tr key={row}>{cellsOf(line).map((cell, at) => createElement(Tag, { key: at }, inline(cell)))}</tr>
)

/** The first of these that stands in the text is taken; what is before it is plain. No two repetitions meet: it stays fast. */
const marks =
  /(?<code>`+)(?<coded>[^`]|[^`].*?[^`])\k<code>(?!`)|!\[(?<alt>[^[\]]{0,500})\]\((?<image>[^()\s]{1,2000})(?:\s[^()]{0,500})?\)|\[(?<label>[^[\]]{1,1000})\]\((?<href>[^()\s]{1,2000})(?:\s[^()]{0,500})?\)|\*\*(?<bold>\S|\S.*?\S)\*\*|(?<![\w*])\*(?<italic>[^\s*]|[^\s*].*?[^\s*])\*(?![\w*])|(?<![\w_])_(?<under>[^\s_]|[^\s_].*?[^\s_])_(?![\w_])|~~(?<gone>\S|\S.*?\S)~~|(?<url>https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])|\\(?<plain>[\\`*_{}[\]()#+.!~|>-])/s

function inline(text: string, depth = 0): ReactNode[] {
  const out: ReactNode[] = []
  let rest = text
  while (rest !== '') {
    const found = depth > 6 ? null : marks.exec(rest)
    if (!found?.groups) {
      out.push(rest)
      break
    }
    if (found.index > 0) out.push(rest.slice(0, found.index))
    out.push(marked(found.groups, found[0], out.length, depth + 1))
    rest = rest.slice(found.index + found[0].length)
  }
  return out
}

function marked(found: Record<string, string | undefined>, whole: string, key: number, depth: number): ReactNode {
  const { coded, alt, image, label, href, bold, italic, under, gone, url, plain } = found
  if (coded !== undefined) return <code key={key}>{coded}</code>
  // a picture would be fetched from elsewhere and tell them who reads
  if (image !== undefined) return link(image, alt || image, key)
  if (href !== undefined) return link(href, inline(label ?? '', depth), key)
  if (bold !== undefined) return <strong key={key}>{inline(bold, depth)}</strong>
  if (italic !== undefined || under !== undefined) return <em key={key}>{inline(italic ?? under ?? '', depth)}</em>
  if (gone !== undefined) return <s key={key}>{inline(gone, depth)}</s>
  if (url !== undefined) return link(url, url, key)
  return plain ?? whole
}

function link(href: string, said: ReactNode, key: number): ReactNode {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return <span key={key}>{said}</span>
  return (
    <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {said}
    </a>
  )
}

function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language || 'text'}</span>
        <Copy text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

export function Copy({ text, className = 'quiet' }: { readonly text: string; readonly className?: string }) {
  const [done, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => {})
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  return (
    <button type="button" className={className} onClick={copy}>
      {done ? strings.copied : strings.copy}
    </button>
  )
}
