/** What a stream gives until the signal says stop, even if the stream itself does not listen. */
export async function* until<T>(signal: AbortSignal, stream: AsyncIterable<T>): AsyncGenerator<T> {
  const source = stream[Symbol.asyncIterator]()
  let stop = () => {}
  const stopped = new Promise<null>((resolve) => {
    stop = () => resolve(null)
  })
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const next = source.next()
      // when the signal comes first, nobody waits for what the stream does then
      next.catch(() => {})
      const step = await Promise.race([next, stopped])
      if (step === null || step.done) return
      yield step.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    if (signal.aborted) source.return?.().catch(() => {})
  }
}
