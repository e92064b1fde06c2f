/** What a stream gives until the signal says stop, even if the stream itself does not listen. */
export async function* until<T>(signal: AbortSignal, stream: AsyncIterable<T>): AsyncGenerator<T> {
  const source = stream[Symbol.asyncIterator]()
  let stop = (): void => {}
  const heed = (): void => stop()
  signal.addEventListener('abort', heed, { once: true })
  try {
    while (!signal.aborted) {
      // one promise a step: a race with a lasting one would keep every step in memory
      const step = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        stop = () => resolve(null)
        source.next().then(resolve, reject)
      })
      if (step === null || step.done) return
      yield step.value
    }
  } finally {
    signal.removeEventListener('abort', heed)
    if (signal.aborted) source.return?.().catch(() => {})
  }
}
