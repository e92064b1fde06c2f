/** What the bytes of a picture say it is, whatever its label claims. */
export interface Picture {
  readonly media: string
  readonly width: number
  readonly height: number
}

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

/** Reads the header of a picture in base64; `undefined` when the bytes are no picture that is known here. */
export function sniff(base64: string): Picture | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (ascii(bytes, 1, 4) === 'PNG' && bytes[0] === 0x89) return png(bytes)
  if (ascii(bytes, 0, 4) === 'GIF8' && bytes.length >= 10) {
    return { media: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return jpeg(bytes)
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return webp(bytes)
  const brand = ascii(bytes, 8, 12)
  if (ascii(bytes, 4, 8) === 'ftyp' && /^(hei[cx]|hevc|mif1|msf1)$/.test(brand)) {
    return { media: brand === 'mif1' || brand === 'msf1' ? 'image/heif' : 'image/heic', width: 0, height: 0 }
  }
  return undefined
}

function png(bytes: Buffer): Picture | undefined {
  if (bytes.length < 24 || ascii(bytes, 12, 16) !== 'IHDR') return undefined
  return { media: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Walks the segments up to the frame header, which has the size. */
function jpeg(bytes: Buffer): Picture {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) break
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { media: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
  }
  return { media: 'image/jpeg', width: 0, height: 0 }
}

function webp(bytes: Buffer): Picture | undefined {
  if (bytes.length < 30) return undefined
  const media = 'image/webp'
  const kind = ascii(bytes, 12, 16)
  if (kind === 'VP8X') return { media, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { media, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return { media, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

/** The parts of a `data:` URL, or `undefined` for an address on the web. */
export function dataUrl(url: string): { readonly media: string; readonly data: string } | undefined {
  const found = /^data:([^;,]*);base64,(.*)$/s.exec(url)
  return found ? { media: found[1] ?? '', data: found[2] ?? '' } : undefined
}
