/** Pictures beyond what a provider takes, made smaller where `sharp` is installed; nothing here needs it. */
import { lru } from '../../core/message/lru.js'
import { type Picture, pictureOf } from '../../core/profile/picture.js'
import type { ImageLimits } from '../../core/profile/traits.js'
import { digest, toBase64 } from '../../store/shared/runtime.js'

export type PictureLimits = Pick<ImageLimits, 'types' | 'bytes' | 'side'>

type Sharp = typeof import('sharp')

let library: Promise<Sharp | null> | undefined

/** Not a literal: a bundle for a browser or the edge must not take it in. */
const packageName: string = 'sharp'

/** Null where it is not installed, or not for this machine. */
const picturesBy = (): Promise<Sharp | null> =>
  (library ??= import(/* @vite-ignore */ packageName).then(
    (found: { readonly default: Sharp }) => found.default,
    () => null,
  ))

export const canShrink = async (): Promise<boolean> => (await picturesBy()) !== null

/** True when the provider would refuse it as it is. */
export function isBeyond(base64: string, { types, bytes, side }: PictureLimits): boolean {
  if (base64.length > bytes) return true
  const picture = pictureOf(base64)
  return !picture || !types.includes(picture.mediaType) || longer(picture) > side
}

const longer = ({ width = 0, height = 0 }: Picture): number => Math.max(width, height)

/** A window is made again for every answer; its pictures are not. */
const made = lru<string>(32)
/** More pixels are a trap, not a picture. */
const mostPixels = 100_000_000
/** Each try has a smaller side than the one before. */
const tries = [1, 0.7, 0.5, 0.35, 0.25, 0.12]

/** The picture as a JPEG within the limits; nothing when the bytes are no picture, or nobody is there to shrink it. */
export async function shrunkPicture(bytes: Uint8Array, limits: PictureLimits): Promise<string | undefined> {
  const sharp = await picturesBy()
  if (!sharp) return undefined
  const name = `${digest(toBase64(bytes))} ${limits.bytes} ${limits.side}`
  const known = made.get(name)
  if (known !== undefined) return known
  try {
    const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: mostPixels }).metadata()
    const side = Math.min(limits.side, Math.max(width, height))
    for (const share of tries) {
      const most = Math.max(1, Math.floor(side * share))
      const jpeg = await sharp(bytes, { limitInputPixels: mostPixels })
        .rotate()
        .resize({ width: most, height: most, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: 85 })
        .toBuffer()
      const base64 = toBase64(jpeg)
      if (isBeyond(base64, limits)) continue
      made.set(name, base64)
      return base64
    }
  } catch {
    // no picture, or one that is broken: it is told in words
  }
  return undefined
}
