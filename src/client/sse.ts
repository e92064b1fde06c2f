/** Server-sent events, read from bytes that may be cut anywhere. */

export interface Frame {
  readonly id: string | null
  readonly event: string
  /** Null where a frame only moves the bookmark or sets the wait. */
  readonly data: string | null
  readonly retry: number | null
}

/** Each whole frame; one that the stream breaks off in is not told. */
export async function* framesOf(body: ReadableStream<Uint8Array>, alive: () => void = () => {}): AsyncGenerator<Frame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const read = frameReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      yield* read(decoder.decode(value, { stream: true }))
    }
  } finally {
    // a source that broke has said so already
    await reader.cancel().catch(() => {})
  }
}

/** Takes text in pieces of any size and gives the frames that it completes. */
export function frameReader(): (text: string) => Frame[] {
  let rest = ''
  let lines: string[] = []
  return (text) => {
    rest += text
    const found: Frame[] = []
    for (;;) {
      const at = rest.search(/[\r\n]/)
      // a lone \r at the end may be half of \r\n
      if (at === -1 || (rest[at] === '\r' && at === rest.length - 1)) return found
      const line = rest.slice(0, at)
      rest = rest.slice(rest.startsWith('\r\n', at) ? at + 2 : at + 1)
      if (line !== '') lines.push(line)
      else if (lines.length > 0) {
        found.push(frameOf(lines))
        lines = []
      }
    }
  }
}

function frameOf(lines: readonly string[]): Frame {
  let id: string | null = null
  let event = 'message'
  let data: string | null = null
  let retry: number | null = null
  for (const line of lines) {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    else if (field === 'event') event = value
    else if (field === 'data') data = data === null ? value : `${data}\n${value}`
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value)
  }
  return { id, event, data, retry }
}
