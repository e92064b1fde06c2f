// The same picture in fewer bytes: Chromium packs its screenshots in a hurry.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export function repacked(png) {
  const chunks = [...chunksIn(png)]
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)))
  const head = chunks.find(({ type }) => type === 'IHDR').body
  const packed = deflateSync(refiltered(data, head.readUInt32BE(0), head[9] === 6 ? 4 : 3), { level: 9, memLevel: 9 })
  const rest = chunks.filter(({ type }) => !['IHDR', 'IDAT', 'IEND'].includes(type))
  const made = [
    { type: 'IHDR', body: head },
    ...rest,
    { type: 'IDAT', body: packed },
    { type: 'IEND', body: Buffer.alloc(0) },
  ]
  const out = Buffer.concat([png.subarray(0, 8), ...made.map(chunkOf)])
  return out.length < png.length ? out : png
}

function* chunksIn(png) {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

function chunkOf({ type, body }) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Flat screens pack best as they are: every line without a filter. */
function refiltered(data, width, bytes) {
  const line = width * bytes
  const out = Buffer.alloc(data.length)
  for (let row = 0; row * (line + 1) < data.length; row++) {
    const at = row * (line + 1)
    const kind = data[at]
    for (let i = 1; i <= line; i++) {
      const left = i > bytes ? out[at + i - bytes] : 0
      const up = row > 0 ? out[at - line - 1 + i] : 0
      const corner = row > 0 && i > bytes ? out[at - line - 1 + i - bytes] : 0
      out[at + i] = data[at + i] + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind]
    }
  }
  return out
}

function paeth(left, up, corner) {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one))
  return a <= b && a <= c ? left : b <= c ? up : corner
}
