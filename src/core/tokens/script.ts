import { astral, common, emoji, plainCodes, ranges } from './weights.js'

export const emojiSlot = emoji * 3 + 2
export const astralSlot = astral * 3 + 2

export function isEmoji(high: number, low: number): boolean {
  const point = ((high & 0x3ff) << 10) + (low & 0x3ff) + 0x10000
  return (point >= 0x1f300 && point < 0x1f700) || (point >= 0x1f900 && point < 0x1fb00) || point >> 5 === 0xf8f
}

/** Index into a family's weights by UTF-16 unit. A lone surrogate is charged as a rare character. */
export const slotOf = new Uint8Array(0x10000)
// each range ends where the next one fills on
for (const range of ranges.split(' '))
  slotOf.fill((range.charCodeAt(range.length - 1) - 103) * 3 + 2, Number.parseInt(range.slice(0, -1), 16))
for (const [tier, list] of [common, plainCodes].entries()) {
  let code = 0x80
  for (let at = 0; at < list.length; at++) {
    const step = list.charCodeAt(at)
    if (step > 96) code += 52 * 2 ** (step - 97)
    else {
      code += step - 40
      slotOf[code] = (slotOf[code] as number) - 1 - tier
      code++
    }
  }
}
