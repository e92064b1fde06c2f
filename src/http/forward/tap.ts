/** A stream as it came, byte for byte, with someone who looks on and can never be in its way. */

export interface Onlooker {
  push(chunk: Uint8Array): void
  /** How it ended: `left` when the reader went away, `broken` when the provider did. */
  end(how: 'whole' | 'left' | 'broken'): void
}

const nobody: Onlooker = { push: () => undefined, end: () => undefined }

/** `leave` is called when the reader goes away before the end. */
export function tapped(
  body: ReadableStream<Uint8Array> | null,
  leave: () => void,
  onlooker: Onlooker = nobody,
): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader()
  if (!reader) return null
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (value) {
          controller.enqueue(value)
          onlooker.push(value)
        }
        if (!done) return
        // who reads to the end finds that it was seen
        onlooker.end('whole')
        controller.close()
      } catch (error) {
        onlooker.end('broken')
        controller.error(error)
      }
    },
    async cancel() {
      leave()
      onlooker.end('left')
      await reader.cancel().catch(() => undefined)
    },
  })
}
