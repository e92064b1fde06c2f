/** Where log lines go: gathered for a moment and written at once, and lost rather than kept when no one takes them. */

export interface LogSink {
  write(line: string): void
  flush(): void
}

/** Bytes that may wait for a slow reader. */
const most = 8 * 1024 * 1024

export function sinkTo(stream: NodeJS.WriteStream): LogSink {
  let lines: string[] = []
  let broken = false
  stream.on('error', () => {
    broken = true
  })
  const flush = (): void => {
    if (lines.length > 0 && !broken && stream.writableLength < most) stream.write(lines.join(''))
    lines = []
  }
  return {
    write(line) {
      if (lines.push(line) === 1) setImmediate(flush)
    },
    flush,
  }
}
