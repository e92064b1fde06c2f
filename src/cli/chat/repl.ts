/** A talk at the terminal: what is typed is said, what begins with a slash is done. */
import { createInterface, type Interface } from 'node:readline/promises'
import { exits } from '../kit/failure.js'
import { say } from '../kit/sink.js'
import { paintFor, printable } from '../kit/term.js'
import { type Does, slashes } from './slash.js'
import { openMouth } from './speak.js'
import { isNoAi, noAi, type Talk, wayBack } from './talk.js'
import { remarks, takeTurn } from './turn.js'

export async function repl(first: Talk): Promise<number> {
  const paint = paintFor(process.stderr)
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const prompt = (talk: Talk) => {
    reader.setPrompt(paint.bold(talk.branch === 'main' ? '> ' : `${printable(talk.branch)}> `))
    reader.prompt()
  }
  let exit: number = exits.ok
  const leave = atPrompt(reader, () => {
    exit = exits.interrupted
    reader.close()
  })
  say(isNoAi(first) ? noAi : `${first.answers.id} answers`)
  say(paint.dim('/help shows what else can be done; Ctrl-D leaves'))
  let talk = first
  prompt(talk)
  for await (const line of reader) {
    const said = line.trim()
    if (said === '/exit' || said === '/quit') break
    talk = await answered(talk, said)
    leave.calm()
    prompt(talk)
  }
  reader.close()
  leave.off()
  say('')
  if (talk.begun) say(wayBack(talk))
  return exit
}

async function answered(talk: Talk, said: string): Promise<Talk> {
  if (said === '') return talk
  try {
    return said.startsWith('/') ? await done(talk, said) : await spoken(talk, said)
  } catch (error) {
    say(printable(error instanceof Error ? error.message : String(error)))
    return talk
  }
}

async function spoken(before: Talk, said: string): Promise<Talk> {
  const mouth = openMouth()
  const turn = await takeTurn(before, said, mouth.tell)
  mouth.end()
  for (const line of await remarks(turn)) say(line)
  return turn.talk
}

async function done(talk: Talk, said: string): Promise<Talk> {
  const [name = '', ...rest] = said.slice(1).split(/\s+/)
  const does: Does | undefined = Object.hasOwn(slashes, name) ? slashes[name]?.does : undefined
  if (!does) throw new Error(`there is no /${name}; there are /${Object.keys(slashes).join(' /')} /exit`)
  return does(talk, rest.join(' '))
}

/** At the prompt the first Ctrl-C clears the line, or says how to leave; the second one leaves. */
function atPrompt(reader: Interface, quit: () => void): { calm(): void; off(): void } {
  let warned = false
  const before = process.listeners('SIGINT')
  const heed = (): void => {
    if (warned) {
      quit()
      return
    }
    warned = true
    say('\n(Ctrl-C again to leave)')
    reader.write(null, { ctrl: true, name: 'u' })
    reader.prompt()
  }
  // a terminal in raw mode gives no signal: readline tells of the key
  reader.on('SIGINT', () => process.emit('SIGINT'))
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', heed)
  return {
    calm: () => {
      warned = false
    },
    off: () => {
      process.off('SIGINT', heed)
      for (const one of before) process.on('SIGINT', one)
    },
  }
}
