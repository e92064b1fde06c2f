/** Words on standard output as they come; at a terminal they cannot drive it, and a line that was begun is ended. */
import { printable } from '../kit/term.js'

interface Mouth {
  readonly tell: (text: string) => void
  end(): void
}

export function openMouth(): Mouth {
  let last = '\n'
  return {
    tell(text) {
      process.stdout.write(process.stdout.isTTY ? printable(text) : text)
      last = text.at(-1) ?? last
    },
    end() {
      if (last !== '\n') process.stdout.write('\n')
      last = '\n'
    },
  }
}
