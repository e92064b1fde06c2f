/** The sentences of a text, each a piece of it to the letter. */

const longest = 320
const ends =
  /[^\n.!?…。！？]*(?:[.!?…](?!\s|["'”’)\]]*\s|["'”’)\]]*$)[^\n.!?…。！？]*)*(?:[.!?…。！？]+["'”’)\]]*|\n|$)/gu

/** Code and tables have no sentences: of them only lines that say something are taken. */
export function sentencesOf(text: string): string[] {
  const found: string[] = []
  for (const [piece] of withoutFences(text).matchAll(ends)) {
    const said = piece
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, '')
    if (/[\p{L}\p{N}]/u.test(said)) found.push(short(said))
  }
  return found
}

const withoutFences = (text: string): string =>
  text.replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gm, '\n')

/** A sentence without an end is cut between words. */
function short(said: string): string {
  const points = [...said]
  if (points.length <= longest) return said
  const cut = points.slice(0, longest - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > longest / 2 ? cut.slice(0, space) : cut}…`
}
