// What both servers hold and say: conversations of 50 messages, one question, one answer.
import { createRequire } from 'node:module'
import { dice, prose } from './history.mjs'

const random = dice(23)
const texts = Array.from({ length: 64 }, () => prose(random, random.between(30, 90)))

export const length = 50
export const idOf = (index) => `c-${String(index).padStart(4, '0')}`
export const messageAt = (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: texts[index % 64] })
export const question = prose(dice(7), 60)
export const answer = prose(dice(8), 80)

/** The library's own packages, not those that the peers brought. */
export const ofLibrary = createRequire(new URL('../../package.json', import.meta.url))

/** Says at which port it listens, and how much memory it has when asked. */
export function report(port) {
  process.on('message', (asked) => {
    if (asked === 'end') process.exit(0)
    if (asked !== 'memory') return
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send({ rss, used: heapUsed + external })
  })
  process.on('disconnect', () => process.exit(0))
  process.send({ port })
}
