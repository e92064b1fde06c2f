/** A summary as text, and back: the statements by their sections, one a line. */
import { type Section, type Statement, sections } from './contract.js'

const headings: Readonly<Record<Section, string>> = {
  request: 'Asked for',
  decision: 'Decisions',
  fact: 'Facts',
  open: 'Open items',
  exact: 'To the letter',
}

/** In the order in which they stand in the text. */
export const ordered = (statements: readonly Statement[]): readonly Statement[] =>
  sections.flatMap((section) => statements.filter((statement) => statement.section === section))

export function textOf(statements: readonly Statement[]): string {
  return sections
    .flatMap((section) => {
      const own = statements.filter((statement) => statement.section === section)
      return own.length === 0 ? [] : [`${headings[section]}:`, ...own.map(({ text }) => `- ${oneLine(text)}`)]
    })
    .join('\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What `textOf` wrote; the sources are kept beside the text, a list for each line of it. */
export function statementsIn(text: string, sources: readonly (readonly string[])[]): readonly Statement[] {
  let section: Section = 'fact'
  const found: Statement[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('- ')) found.push({ section, text: line.slice(2), sources: sources[found.length] ?? [] })
    else section = sections.find((one) => line === `${headings[one]}:`) ?? section
  }
  return found
}

/** Whether all of a text is what `textOf` wrote. */
export const isWritten = (text: string): boolean =>
  text !== '' &&
  text.split('\n').every((line) => line.startsWith('- ') || sections.some((one) => line === `${headings[one]}:`))
