/** Text in code points: nothing here splits a surrogate pair. */

const surrogate = /[\ud800-\udfff]/
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Replaces lone surrogates by U+FFFD, so that the text can be encoded. */
export function wellFormed(value: string): string {
  return !isWellFormed(value) ? value.replace(new RegExp(lone, 'g'), '\ufffd') : value
}

// one-byte strings are answered without a look at them
const native = (String.prototype as { readonly isWellFormed?: (this: string) => boolean }).isWellFormed

export const isWellFormed: (value: string) => boolean = native
  ? (value) => native.call(value)
  : (value) => !surrogate.test(value) || !lone.test(value)

const visible =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is invisible by itself
  /[^\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u0000-\u0008\u000e-\u001f\u007f-\u009f\u{e0000}-\u{e0fff}]/u

/** True when a reader would see nothing: white space, zero-width and control characters only. */
export const isBlank = (value: string): boolean => !visible.test(value)

/** Number of code points. */
export function length(value: string): number {
  if (!surrogate.test(value)) return value.length
  let pairs = 0
  for (let i = 0; i < value.length - 1; i++) {
    if ((value.charCodeAt(i) & 0xfc00) !== 0xd800) continue
    if ((value.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue
    pairs++
    i++
  }
  return value.length - pairs
}

/** Number of bytes in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function byteLength(value: string): number {
  let bytes = 0
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if ((unit & 0xfc00) === 0xd800 && (value.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}

/** Index in UTF-16 units after the first `count` code points. */
export function unitsOf(value: string, count: number): number {
  let at = 0
  for (let taken = 0; taken < count && at < value.length; taken++) {
    at += (value.codePointAt(at) as number) > 0xffff ? 2 : 1
  }
  return at
}

/** Index in UTF-16 units where the last `count` code points begin. */
export function unitsFromEnd(value: string, count: number): number {
  let at = value.length
  for (let taken = 0; taken < count && at > 0; taken++) {
    const pair =
      at > 1 && (value.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && (value.charCodeAt(at - 2) & 0xfc00) === 0xd800
    at -= pair ? 2 : 1
  }
  return at
}

/** Base64, its padding or none at the end. A pattern for the whole would go back step by step: over megabytes, out of stack. */
export function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/)
  return end < 0 ? text !== '' : end > 0 && (text.slice(end) === '=' || text.slice(end) === '==')
}

/** Base64 with all of its padding: one that has less was cut or joined on its way. */
export const isWholeBase64 = (text: string): boolean => text.length % 4 === 0 && isBase64(text)
