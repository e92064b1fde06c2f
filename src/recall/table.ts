/** The embedder that comes with the package: a table of word vectors, distilled from all-MiniLM-L6-v2 (Apache-2.0). */
import { readAsset } from '../store/shared/runtime.js'
import { mapSlowly } from '../store/shared/turn.js'
import { type Embedder, unit } from './embedder.js'
import { kinOf } from './kin.js'
import { remembered, wordsOf } from './words.js'

/** A word that is not in the table is put together from pieces, but no serial number is. */
const longest = 40

let loaded: Promise<Embedder> | null = null

/**
 * The vectors that come with the package, read once, when they are first needed. A runtime that knows no address of its
 * modules, such as a bundle in workerd, has to say where the table is.
 *
 * @example
 * ```ts
 * const embedder = await tableEmbedder(new URL('https://example.org/minilm-128.bin'))
 * ```
 */
export function tableEmbedder(from?: URL): Promise<Embedder> {
  if (from) return load(from)
  loaded ??= ownTable()
  return loaded
}

// an address that cannot be made is a failure of the call, not of the import
const ownTable = async (): Promise<Embedder> => load(new URL('./table/minilm-128.bin', import.meta.url))

async function load(from: URL): Promise<Embedder> {
  const table = parse(await readAsset(from))
  const { dimensions } = table
  const pieces = piecesOf(table)
  const embed = (text: string): Float32Array => {
    const sum = new Float32Array(dimensions)
    for (const word of wordsOf(text))
      for (const row of pieces(word)) {
        const scale = table.scales[row] as number
        const start = row * dimensions
        for (let at = 0; at < dimensions; at++)
          sum[at] = (sum[at] as number) + scale * (table.rows[start + at] as number)
      }
    return unit(sum)
  }
  return {
    model: `minilm-l6-v2-words-${dimensions}`,
    dimensions,
    embed: (texts) => mapSlowly(texts, embed),
    kin: kinOf(table.words, dimensions, table.rows),
  }
}

/** Two numbers, what each row is multiplied with (common words weigh little), the rows, and the words with a line for each. */
function parse(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint32(0, true)
  const dimensions = view.getUint32(4, true)
  const scales = new Float32Array(count)
  for (let at = 0; at < count; at++) scales[at] = view.getFloat32(8 + 4 * at, true)
  const start = 8 + 4 * count
  const end = start + count * dimensions
  const rows = new Int8Array(bytes.subarray(start, end))
  const words = new Map(
    new TextDecoder()
      .decode(bytes.subarray(end))
      .split('\n')
      .map((word, row) => [word, row]),
  )
  return { words, dimensions, scales, rows }
}

/** The longest beginnings that the table knows, as WordPiece has it; none when a rest is unknown. */
function piecesOf({ words }: ReturnType<typeof parse>): (word: string) => readonly number[] {
  const known = new Map<string, readonly number[]>()
  return (word) => {
    const before = known.get(word)
    if (before) return before
    if (known.size > 50_000) known.clear()
    const found = word.length > longest ? [] : word.split(/['’]/).flatMap((part) => split(part, words))
    if (word.length <= remembered) known.set(word, found)
    return found
  }
}

function split(word: string, words: ReadonlyMap<string, number>): number[] {
  const rows: number[] = []
  for (let from = 0; from < word.length; ) {
    let to = word.length
    let row: number | undefined
    for (; to > from && row === undefined; to--) row = words.get((from > 0 ? '##' : '') + word.slice(from, to))
    if (row === undefined) return []
    rows.push(row)
    from = to + 1
  }
  return rows
}
