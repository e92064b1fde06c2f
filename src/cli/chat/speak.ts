/** Words on standard output as they come: at a terminal painted, unable to drive it, and a sign of life before the first. */
import { paintFor, printable } from '../kit/term.js'
import { styled } from './styled.js'

interface Mouth {
  readonly tell: (text: string) => void
  end(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export function openMouth(isSilent = false): Mouth {
  const paint = paintFor(process.stdout)
  const dress = paint.isColorSupported ? styled(paint) : null
  const calm = isSilent ? () => {} : spin()
  let last = '\n'
  const write = (text: string): void => {
    process.stdout.write(text)
    last = text.at(-1) ?? last
  }
  return {
    tell(text) {
      calm()
      const safe = process.stdout.isTTY ? printable(text) : text
      write(dress ? dress.take(safe) : safe)
    },
    end() {
      calm()
      if (dress) write(dress.end())
      if (last !== '\n') process.stdout.write('\n')
      last = '\n'
    },
  }
}

/** Turns until it is told to stop. */
function spin(): () => void {
  const paint = paintFor(process.stderr)
  if (!paint.isColorSupported) return () => {}
  let at = 0
  const turn = (): void => void process.stderr.write(`\r${paint.dim(frames[at++ % frames.length] as string)}`)
  const timer = setInterval(turn, 80)
  return () => {
    if (at > 0) process.stderr.write('\r\x1b[K')
    at = 0
    clearInterval(timer)
  }
}
