/** Cuts a stream of bytes into lines. A line is given out as soon as its end has been read. */

export type ByteLine =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly length: number }

/** A line over this many bytes is read to its end and thrown away: no string can be that long for sure. */
const longest = 256 * 1024 * 1024
const newline = 0x0a

export async function* byteLines(input: AsyncIterable<Uint8Array>, most = longest): AsyncGenerator<ByteLine> {
  let pieces: Uint8Array[] = []
  let length = 0
  const add = (piece: Uint8Array): void => {
    length += piece.length
    if (length <= most) pieces.push(piece)
    else pieces = []
  }
  const take = (): ByteLine => {
    const line: ByteLine = length <= most ? { ok: true, bytes: joined(pieces) } : { ok: false, length }
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of input) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  if (length > 0) yield take()
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array =>
  pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
