/** How many images a request holds, how large they are, and whether they are what they say. */
import { pictureOf } from '../profile/picture.js'
import type { ImageLimits } from '../profile/traits.js'
import type { Json } from './json.js'
import type { Report } from './table/rule.js'

export interface Image {
  readonly path: string
  /** As labelled. */
  readonly mediaType: string
  readonly base64: string | undefined
}

type Names = 'image.type' | 'image.side' | 'image.side.many' | 'image.many' | 'image.bytes'

/** The image of a data URL, or one that is somewhere on the web. */
export function imageOf(url: Json | undefined, path: string): Image {
  const [, mediaType = '', base64] = /^data:([^,;]*)(?:;[^,]*)?;base64,(.*)$/s.exec(String(url)) ?? []
  return { path, mediaType: mediaType.toLowerCase(), base64 }
}

/** Judges one image by its bytes. */
export function judgeImage(image: Image, limits: ImageLimits, report: Report<Names>): void {
  const { path, mediaType, base64 } = image
  if (base64 === undefined) return
  const picture = pictureOf(base64)
  if (!picture || !limits.types.includes(picture.mediaType))
    report('image.type', path, 'the bytes are no image that the provider takes')
  else if (picture.mediaType !== mediaType)
    report('image.type', path, `the bytes are ${picture.mediaType}, the label says ${mediaType || 'nothing'}`)
  if (base64.length > limits.bytes) report('image.bytes', path, `the image has ${base64.length} characters of base64`)
  const side = longest(picture)
  if (side > limits.side) report('image.side', path, `a side has ${side} pixels`)
}

/** Judges all images of a request together. */
export function judgeAlbum(images: readonly Image[], limits: ImageLimits, path: string, report: Report<Names>): void {
  if (images.length > limits.count) report('image.many', path, `there are ${images.length} images and documents`)
  if (images.length <= limits.many) return
  for (const image of images) {
    const side = longest(image.base64 === undefined ? undefined : pictureOf(image.base64))
    if (side > limits.manySide) report('image.side.many', image.path, `a side has ${side} pixels beside many images`)
  }
}

const longest = (picture: ReturnType<typeof pictureOf>): number => Math.max(picture?.width ?? 0, picture?.height ?? 0)
