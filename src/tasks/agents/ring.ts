/** What an agent prints, in bounded memory: its beginning, its end, and how much there was in all. */

interface Ring {
  write(bytes: Uint8Array): void
  readonly total: number
  kept(): Printed
}

export interface Printed {
  readonly head: Buffer
  readonly tail: Buffer
  readonly total: number
}

export function openRing(headBytes: number, tailBytes: number): Ring {
  const head: Buffer[] = []
  let left = headBytes
  let tail: Buffer | null = null
  let at = 0
  let total = 0

  const turn = (bytes: Uint8Array): void => {
    tail ??= Buffer.alloc(tailBytes)
    // of more than fits only the end can stay
    const last = bytes.subarray(Math.max(0, bytes.length - tailBytes))
    at = (at + bytes.length - last.length) % tailBytes
    const first = last.subarray(0, tailBytes - at)
    tail.set(first, at)
    tail.set(last.subarray(first.length), 0)
    at = (at + last.length) % tailBytes
  }

  return {
    get total() {
      return total
    },
    write(bytes) {
      total += bytes.length
      const first = bytes.subarray(0, left)
      if (first.length > 0) head.push(Buffer.from(first))
      left -= first.length
      if (first.length < bytes.length) turn(bytes.subarray(first.length))
    },
    kept() {
      const begin = Buffer.concat(head)
      const rest = total - begin.length
      if (tail === null || rest === 0) return { head: begin, tail: Buffer.alloc(0), total }
      if (rest <= tailBytes) return { head: begin, tail: Buffer.from(tail.subarray(0, rest)), total }
      return { head: begin, tail: Buffer.concat([tail.subarray(at), tail.subarray(0, at)]), total }
    },
  }
}
