// The audit on trial: a true history passes, and each way of being wrong is found under its own name.
import { audit, isClean } from './lib/audit.mjs'
import { entryOf } from './lib/dice.mjs'

const sizes = [50, 400]

export async function mutants({ seed, note }) {
  const clean = (seed) => {
    const ids = Array.from({ length: 50 }, (_, i) => `e-${i}`)
    const log = ids.map((id, i) => ({ ...entryOf(seed, id, sizes), seq: i + 1 }))
    const acks = ids.map((id, i) => ({ id, seq: i + 1, start: 10 * i, end: 10 * i + 5 }))
    const tried = new Map(acks.map(({ id, start }) => [id, start]))
    const reads = [{ after: 10, ids: ids.slice(10, 31), whole: true, start: 306, end: 309 }]
    return { history: { seed, sizes, acks, tried, reads, refused: ['never'] }, log }
  }
  const broken = {
    lost: ({ log }) => log.pop(),
    moved: ({ history }) => {
      history.acks[7].seq = 9
    },
    duplicated: ({ log }) => log.push({ ...log[3], seq: 51 }),
    half: ({ log }) => {
      log[20].text = log[20].text.slice(0, -1)
    },
    gaps: ({ log }) => {
      log[49].seq = 51
    },
    strange: ({ log }) => log.push({ ...entryOf(seed, 'never', sizes), seq: 51 }),
    disorder: ({ history }) => {
      history.acks[30].start = 490
      history.acks[30].end = 499
      history.acks[40].end = 450
    },
    misread: ({ history }) => history.reads[0].ids.pop(),
  }
  const missed = Object.keys(broken).filter((name) => {
    const one = clean(seed)
    broken[name](one)
    return audit(one.history, one.log)[name] === 0
  })
  for (const name of missed) note(`${name} was not noticed`)
  const one = clean(seed)
  const isFair = isClean(audit(one.history, one.log))
  return { mutants: Object.keys(broken).length, missed: missed.length, fair: isFair, ok: isFair && missed.length === 0 }
}
