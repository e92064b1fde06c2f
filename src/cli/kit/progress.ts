/** Tells how far long work is, on the error stream: a line that moves at a terminal, a line now and then elsewhere. */
import { number } from './term.js'

interface Progress {
  /** So many more; one when left out. */
  step(more?: number): void
  /** Clears the line. */
  end(): void
}

/** What takes less than a second needs no words. */
const silentMs = 1_000

export function progressOf(verb: string, things: string): Progress {
  const { isTTY } = process.stderr
  const pauseMs = isTTY ? 100 : 5_000
  const began = performance.now()
  let told = 0
  let count = 0
  return {
    step(more = 1) {
      count += more
      const now = performance.now()
      if (now - began < silentMs || (told > 0 && now - told < pauseMs)) return
      told = now
      const line = `${verb} ${number(count)} ${things} · ${Math.round((now - began) / 1_000)} s`
      process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`)
    },
    end() {
      if (told > 0 && isTTY) process.stderr.write('\r\x1b[K')
    },
  }
}
