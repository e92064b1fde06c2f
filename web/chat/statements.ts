/** A summary's text by its headings, each statement with the messages it rests on. */
import type { Message } from '../../src/client/index.js'

export interface Statement {
  readonly text: string
  readonly sources: readonly string[]
}

export interface Section {
  readonly heading: string | null
  readonly statements: readonly Statement[]
}

/** The sources are kept beside the text, a list for each line that begins with a dash. */
export function sectionsOf({ text, meta }: Pick<Message, 'text' | 'meta'>): readonly Section[] {
  const sources = listOf(meta.sources).map((one) => listOf(one).filter((id) => typeof id === 'string'))
  const sections: { heading: string | null; statements: Statement[] }[] = []
  let told = 0
  for (const line of text.split('\n').filter((line) => line.trim() !== '')) {
    const isStated = line.startsWith('- ')
    if (!isStated && line.endsWith(':')) sections.push({ heading: line.slice(0, -1), statements: [] })
    else {
      if (sections.length === 0) sections.push({ heading: null, statements: [] })
      const statement = isStated ? { text: line.slice(2), sources: sources[told++] ?? [] } : { text: line, sources: [] }
      sections.at(-1)?.statements.push(statement)
    }
  }
  return sections
}

/** How many messages it stands for, and the tokens of both, where it says so. */
export function extentOf({ meta }: Pick<Message, 'meta'>) {
  const [before, after] = listOf(meta.tokens)
  return {
    covers: typeof meta.covers === 'number' ? meta.covers : null,
    tokens: typeof before === 'number' && typeof after === 'number' ? ([before, after] as const) : null,
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
