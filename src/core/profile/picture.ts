/** What the first bytes of a file say it is, whatever its label says. */

export interface Picture {
  readonly mediaType: string
  readonly width?: number
  readonly height?: number
}

/** A JPEG says its size behind its comments, which may be long. */
const most = 262_144

/** The media type of the bytes; nothing when they are no picture that any provider takes. */
export const pictureType = (base64: string): string | undefined => typeOf(bytesOf(base64, 64))

function typeOf(head: string): string | undefined {
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  const brand = head.slice(4, 8) === 'ftyp' ? head.slice(8, 12) : ''
  if (/^(?:heic|heix|hevc)$/.test(brand)) return 'image/heic'
  return /^(?:mif1|msf1|heif)$/.test(brand) ? 'image/heif' : undefined
}

/** The same with the size; nothing for a picture whose head was cut. */
export function pictureOf(base64: string): Picture | undefined {
  const head = bytesOf(base64, 64)
  const mediaType = typeOf(head)
  if (mediaType === undefined) return undefined
  const read = sides[mediaType]
  if (!read) return { mediaType }
  const found = read(mediaType === 'image/jpeg' ? bytesOf(base64, most) : head)
  if (found) return { mediaType, width: found[0], height: found[1] }
  // the head of a long JPEG may say it further on; any other was cut
  return mediaType === 'image/jpeg' && base64.length > most ? { mediaType } : undefined
}

/** One character for each byte; empty when the text is not base64. */
function bytesOf(base64: string, count: number): string {
  const units = Math.ceil(count / 3) * 4
  try {
    return atob(base64.length > units ? base64.slice(0, units) : base64)
  } catch {
    return ''
  }
}

type Sides = readonly [width: number, height: number] | undefined

const at = (bytes: string, i: number): number => bytes.charCodeAt(i)
const big = (bytes: string, i: number): number => at(bytes, i) * 256 + at(bytes, i + 1)
const little = (bytes: string, i: number): number => at(bytes, i + 1) * 256 + at(bytes, i)

const png = (bytes: string): Sides =>
  bytes.length < 24 ? undefined : [big(bytes, 16) * 65_536 + big(bytes, 18), big(bytes, 20) * 65_536 + big(bytes, 22)]

const gif = (bytes: string): Sides => (bytes.length < 10 ? undefined : [little(bytes, 6), little(bytes, 8)])

function webp(bytes: string): Sides {
  const kind = bytes.slice(12, 16)
  if (bytes.length < 30) return undefined
  if (kind === 'VP8X') return [triple(bytes, 24) + 1, triple(bytes, 27) + 1]
  if (kind === 'VP8 ') return [little(bytes, 26) & 0x3fff, little(bytes, 28) & 0x3fff]
  if (kind !== 'VP8L') return undefined
  const bits = little(bytes, 21) + little(bytes, 23) * 65_536
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

const triple = (bytes: string, i: number): number => little(bytes, i) + at(bytes, i + 2) * 65_536

/** Walks the segments to the frame header. */
function jpeg(bytes: string): Sides {
  for (let i = 2; i + 9 < bytes.length; ) {
    if (at(bytes, i) !== 0xff) return undefined
    const marker = at(bytes, i + 1)
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return [big(bytes, i + 7), big(bytes, i + 5)]
    i += marker === 0xff ? 1 : 2 + big(bytes, i + 2)
  }
  return undefined
}

const sides: Readonly<Record<string, (bytes: string) => Sides>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
}
