/** Writes a stream at the pace of its reader, and holds no more of it than one chunk. */
import type { ServerResponse } from 'node:http'

export async function pour(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  const reader = response.body?.getReader()
  if (!reader) {
    outgoing.end()
    return
  }
  // reading ends when the reader at the other side is gone
  outgoing.once('close', () => void reader.cancel().catch(() => {}))
  outgoing.flushHeaders()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!outgoing.write(value)) await drained(outgoing)
    }
    outgoing.end()
  } catch {
    // the stream broke off: so does the connection, and the other side knows that there is more
    outgoing.destroy()
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go)
      outgoing.off('close', go)
      resolve()
    }
    outgoing.on('drain', go)
    outgoing.on('close', go)
  })
}
