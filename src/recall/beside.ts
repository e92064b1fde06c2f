/** "Before", "two weeks after", "the day before": on which side of a time, and how far. */

export interface Side {
  readonly way: 1 | -1
  /** "two" in "two weeks before"; null in "the week before" and "before". */
  readonly many: string | null
  readonly unit: string | undefined
}

const side =
  /(?:(?:\b(the|last|that|a|an|\d{1,3}|[a-z]+) )?\b(day|week|month|year|weekend)s? )?\b(before|prior to|until|till|by|after|since|following) (?:the )?$/
const none = /^(?:the|last|that)$/

/** What the words say that stand just before a time; null when they put it on no side. */
export function beside(words: string): Side | null {
  const found = side.exec(words)
  if (!found) return null
  const [, many, unit, word] = found
  return {
    way: /^(?:after|since|following)$/.test(word as string) ? 1 : -1,
    many: unit === undefined || many === undefined || none.test(many) ? null : many,
    unit,
  }
}

interface Event extends Side {
  /** What happened. */
  readonly words: string
}

const event =
  /\b(before|prior to|until|after|since|following) ((?:(?:i|we|my|our|the|his|her|their|she|he|they|its?) )?[^?.,;:!]{3,60})/gi
const ends = /\b(?:what|who|whom|when|where|which|how|why|did|does|and|or|but|to)\b.*$/i

/** "before the move", "after I changed jobs": times that are known by what happened then. "After adding both" is rather a condition. */
export function eventsIn(text: string): readonly Event[] {
  return [...text.matchAll(event)].flatMap(({ 1: word, 2: said, index }) => {
    const words = (said as string).replace(ends, '').trim()
    const at = beside(text.slice(0, index + (word as string).length + 1).toLowerCase())
    return at && words !== '' && !/\d|^\w+ing\b/.test(words) ? [{ ...at, words }] : []
  })
}
