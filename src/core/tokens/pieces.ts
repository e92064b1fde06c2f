/** Counts a text piece by piece, as its tokenizer cuts it: most pieces are words that were counted before. */

type Count = (text: string) => number

const suffix = `'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE])`
const lead = String.raw`[^\r\n\p{L}\p{N}]?`
const [upper, lower] = [String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`]
const marks = String.raw` ?[^\s\p{L}\p{N}]+`

/** Where each tokenizer cuts a text before it joins letters to tokens; no token reaches over a cut. */
const cuts = {
  o200k: String.raw`${lead}${upper}*${lower}+(?:${suffix})?|${lead}${upper}+${lower}*(?:${suffix})?|\p{N}{1,3}|${marks}[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  cl100k: String.raw`${suffix}|${lead}\p{L}+|\p{N}{1,3}|${marks}[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s`,
} as const

type Table = keyof typeof cuts

/** Bits, so that one look tells whether a sign is one of several; none at the end of the text. */
const [capital, small, digit, line, blank, mark, beyond] = [1, 2, 4, 8, 16, 32, 64] as const
const letter = capital | small
const space = line | blank

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code)
  if (/[A-Z]/.test(sign)) return capital
  if (/[a-z]/.test(sign)) return small
  if (/\d/.test(sign)) return digit
  return /[\r\n]/.test(sign) ? line : /\s/.test(sign) ? blank : mark
})

function kindAt(text: string, at: number): number {
  if (at >= text.length) return 0
  const code = text.charCodeAt(at)
  return code < 128 ? (kinds[code] as number) : beyond
}

/** Where a run of such signs ends. */
function run(text: string, from: number, kind: number): number {
  let at = from
  while ((kindAt(text, at) & kind) !== 0) at++
  return at
}

/** Where the piece that begins here ends, by the same rules; -1 where a sign beyond ASCII has a say in it. */
function endOf(text: string, from: number, isOld: boolean): number {
  const kind = kindAt(text, from)
  const next = kindAt(text, from + 1)
  if (((kind | next) & beyond) !== 0) return -1
  const first = (kind & letter) !== 0 ? from : (next & letter) !== 0 && (kind & (blank | mark)) !== 0 ? from + 1 : -1
  if (first >= 0) {
    if (isOld && kind === mark && suffixEnd(text, from) > from) return suffixEnd(text, from)
    const end = isOld ? run(text, first, letter) : run(text, run(text, first, capital), small)
    return kindAt(text, end) === beyond ? -1 : isOld ? end : suffixEnd(text, end)
  }
  if (kind === digit) {
    const end = Math.min(from + 3, run(text, from, digit))
    return end < from + 3 && kindAt(text, end) === beyond ? -1 : end
  }
  if (kind === mark || (next === mark && text.charCodeAt(from) === 32)) {
    let end = run(text, from + 1, mark)
    if (kindAt(text, end) === beyond) return -1
    while (kindAt(text, end) === line || (!isOld && text.charCodeAt(end) === slash)) end++
    return end
  }
  const end = run(text, from, space)
  const after = kindAt(text, end)
  if (after === beyond) return -1
  if (after === 0 && isOld) return end
  for (let at = end; at > from; at--) if (kindAt(text, at - 1) === line) return at
  return after === 0 ? end : Math.max(from + 1, end - 1)
}

const slash = 47
const quote = 39

/** Behind what is left of a word after its apostrophe, where there is one. */
function suffixEnd(text: string, at: number): number {
  if (at >= text.length || text.charCodeAt(at) !== quote) return at
  const rest = text.slice(at + 1, at + 3).toLowerCase()
  if (/^[sdmt]/.test(rest)) return at + 2
  return rest === 'll' || rest === 've' || rest === 're' ? at + 3 : at
}

/** Seven bits for each of four characters in a key: longer pieces, and those beyond ASCII, are counted each time. */
const longest = 12
const slots = 16_384

export function inPieces(table: Table, count: Count): Count {
  const cut = new RegExp(cuts[table], 'gu')
  const isOld = table === 'cl100k'
  const [first, second, third] = [new Int32Array(slots), new Int32Array(slots), new Int32Array(slots)]
  const counts = new Uint8Array(slots)

  const countPiece = (text: string, from: number, end: number): number => {
    if (end - from > longest) return count(text.slice(from, end))
    let one = 0
    let two = 0
    let three = 0
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code > 127 || code === 0) return count(text.slice(from, end))
      three = ((three << 7) | (two >>> 21)) & 0xfffffff
      two = ((two << 7) | (one >>> 21)) & 0xfffffff
      one = ((one << 7) | code) & 0xfffffff
    }
    const slot = (Math.imul(one, 0x9e3779b1) ^ Math.imul(two, 0x85ebca6b) ^ Math.imul(three, 0xc2b2ae35)) >>> 18
    if (first[slot] === one && second[slot] === two && third[slot] === three) return counts[slot] as number
    first[slot] = one
    second[slot] = two
    third[slot] = three
    const made = count(text.slice(from, end))
    counts[slot] = made
    return made
  }

  return (text) => {
    let sum = 0
    for (let from = 0; from < text.length; ) {
      let end = endOf(text, from, isOld)
      if (end < 0) {
        cut.lastIndex = from
        cut.test(text)
        end = cut.lastIndex
      }
      sum += countPiece(text, from, end)
      from = end
    }
    return sum
  }
}
