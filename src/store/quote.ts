/** Whether a document repeats what an entry said: then it goes when the words of the entry go. */

const letter = /[\p{L}\p{N}]/u

/** The whole text, as words of their own: "a" does not stand in "again". */
export function quotes(document: unknown, text: string): boolean {
  const words = text.trim()
  return words !== '' && anyText(document, (other) => stands(words, other))
}

function anyText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => test(key) || anyText(inner, test))
}

function stands(words: string, text: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!joins(text[at - 1], words[0]) && !joins(words.at(-1), text[at + words.length])) return true
  return false
}

/** Two letters beside each other are of one word. */
const joins = (one = '', other = ''): boolean => letter.test(one) && letter.test(other)
