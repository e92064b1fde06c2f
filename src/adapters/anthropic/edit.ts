/** What the memory tool does to the text of a file. */
import { refusal } from '../../store/shared/refuse.js'

export interface Replaced {
  readonly text: string
  /** The line of the change, from 0. */
  readonly line: number
}

/** Exactly one occurrence gives way; none and several are refused. */
export function replaced(text: string, old: string, next: string, path: string): Replaced {
  const places = old === '' ? [] : occurrences(text, old)
  const [place] = places
  if (place === undefined)
    throw refusal('invalid', `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`, {
      field: 'old_str',
    })
  if (places.length > 1) {
    const lines = [...new Set(places.map((at) => lineOf(text, at) + 1))].join(', ')
    throw refusal(
      'invalid',
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines}. Please ensure it is unique`,
      { field: 'old_str' },
    )
  }
  return { text: text.slice(0, place) + next + text.slice(place + old.length), line: lineOf(text, place) }
}

export function inserted(text: string, at: number, more: string): string {
  const lines = text.split('\n')
  if (!Number.isInteger(at) || at < 0 || at > lines.length)
    throw refusal(
      'invalid',
      `Invalid \`insert_line\` parameter: ${at}. It should be within the range of lines of the file: [0, ${lines.length}]`,
      { field: 'insert_line', value: at },
    )
  return [...lines.slice(0, at), more.replace(/\n$/, ''), ...lines.slice(at)].join('\n')
}

function occurrences(text: string, word: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) found.push(at)
  return found
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1
