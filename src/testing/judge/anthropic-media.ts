import { nested, type Placed, within } from './claude.js'
import { sniff } from './image.js'
import { fields, type JudgeRule, type Scope, string } from './scope.js'

/** Images in base64 with their declared type, wherever they are. */
export const images = (scope: Scope): readonly (Placed & { readonly media: string; readonly data: string })[] =>
  nested(scope)
    .filter(({ block }) => block.type === 'image' && fields(block.source).type === 'base64')
    .map((found) => {
      const { media_type, data } = fields(found.block.source)
      return { ...found, media: string(media_type), data: string(data) }
    })

const media = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const sideOf = (data: string) => {
  const picture = sniff(data)
  return picture ? Math.max(picture.width, picture.height) : 0
}
const all = (scope: Scope) => nested(scope).filter(({ block }) => block.type === 'image' || block.type === 'document')

export const anthropicMedia: readonly JudgeRule[] = [
  {
    id: 'A-media',
    *find(scope) {
      for (const { path, media: declared } of images(scope)) {
        if (media.includes(declared)) continue
        const at = `${path}.image.source.base64.media_type`
        yield [at, `${at}: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`]
      }
    },
  },
  {
    id: 'A-17',
    *find(scope) {
      for (const { path, media: declared, data } of images(scope)) {
        if (!media.includes(declared)) continue
        const at = `${path}.image.source.base64`
        const seen = sniff(data)?.media
        if (seen === undefined || !media.includes(seen)) yield [at, 'Could not process image']
        else if (seen !== declared) {
          const said = `The image was specified using the ${declared} media type, but the image appears to be a ${seen} image`
          yield [at, `${at}: ${said}`]
        }
      }
    },
  },
  {
    id: 'A-18',
    *find(scope) {
      const count = nested(scope).filter(({ block }) => block.type === 'image').length
      if (count <= 20) return
      for (const { path, data } of images(scope)) {
        if (sideOf(data) <= 2000) continue
        const said = 'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels'
        yield [path, `${path}.image.source.base64.data: ${said}`]
      }
    },
  },
  {
    id: 'A-19',
    *find(scope) {
      for (const { path, data } of images(scope)) {
        if (sideOf(data) <= 8000) continue
        const said = 'At least one of the image dimensions exceed max allowed size: 8000 pixels'
        yield [path, `${path}.image.source.base64.data: ${said}`]
      }
    },
  },
  {
    id: 'A-20',
    *find(scope) {
      const most = within(scope, 0.1, 4.5) ? 100 : 600
      const { length } = all(scope)
      if (length > most)
        yield ['messages', `Too much media: ${length} images and documents exceed the limit of ${most}`]
    },
  },
  {
    id: 'A-21',
    *find(scope) {
      for (const { path, data } of images(scope)) {
        if (data.length <= 5_242_880) continue
        const said = `image exceeds 5 MB maximum: ${data.length} bytes > 5242880 bytes`
        yield [path, `${path}.image.source.base64: ${said}`]
      }
    },
  },
]
