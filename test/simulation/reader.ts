/** Server-sent events as they are read: one by one, and left in the middle. */
export interface Frame {
  /** Null for what is not an event of the conversation. */
  readonly id: number | null
  readonly event: string
  readonly text: string
}

interface Frames {
  /** Null when there are no more. */
  next(): Promise<Frame | null>
  leave(): void
}

export function readFrames(response: Response): Frames {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let left = ''
  const next = async (): Promise<Frame | null> => {
    for (;;) {
      const end = left.indexOf('\n\n')
      if (end >= 0) {
        const block = left.slice(0, end)
        left = left.slice(end + 2)
        const frame = frameOf(block)
        if (frame) return frame
        continue
      }
      const chunk = await reader?.read()
      if (!chunk || chunk.done) return null
      left += decoder.decode(chunk.value, { stream: true })
    }
  }
  return {
    next: () => next().catch(() => null),
    leave: () => void reader?.cancel().catch(() => {}),
  }
}

/** Null for what only moves a bookmark. */
function frameOf(block: string): Frame | null {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const text = fields.get('data')
  if (text === undefined) return null
  const id = fields.get('id')
  return { id: id === undefined ? null : Number(id), event: fields.get('event') ?? '', text }
}
