// The data sets in one shape: turns, and questions with the places of their evidence.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

export const splitOf = (folder, set, split) =>
  new Set(JSON.parse(readFileSync(join(folder, 'splits.json'), 'utf8'))[set][split])

export function questions(folder, set, wanted) {
  const all = set.startsWith('longmemeval') ? sessions(folder, set, wanted) : whole(folder, set, wanted)
  return all.filter(({ asked }) => asked.length > 0)
}

const isScored = (question) => question.ev.length > 0 && !question.abs && question.cat !== 'adversarial'

const whole = (folder, set, wanted) =>
  lines(join(folder, 'data', set, 'convs.jsonl'))
    .filter(({ id }) => wanted.has(id))
    .map(({ turns, questions }) => {
      const place = new Map(turns.map(({ id }, at) => [id, at]))
      const asked = questions.filter(isScored).map(({ q, qdate, cat, ev }) => ({
        text: q,
        now: qdate,
        category: cat,
        evidence: ev.map((id) => place.get(id)),
      }))
      return { turns: blind(turns.map((turn) => ({ ...turn, session: turn.sid }))), asked }
    })

function sessions(folder, set, wanted) {
  const pool = new Map(lines(join(folder, 'data', set, 'sessions.jsonl')).map(({ k, turns }) => [k, turns]))
  return lines(join(folder, 'data', set, 'questions.jsonl'))
    .filter(({ id }) => wanted.has(id))
    .map(({ haystack, q, qdate, cat, abs }) => {
      const turns = []
      const ev = []
      for (const [at, [key, date, marked = []]] of haystack.entries())
        for (const [i, { role, text }] of pool.get(key).entries()) {
          if (marked.includes(i)) ev.push(turns.length)
          turns.push({ session: at, date, who: role, role, text })
        }
      const question = { ev, abs, cat }
      return {
        turns: blind(turns),
        asked: isScored(question) ? [{ text: q, now: qdate, category: cat, evidence: ev }] : [],
      }
    })
}

/** Names of sessions can give the answer away. */
function blind(turns) {
  const names = new Map()
  return turns.map(({ session, date, who, role, text }, at) => {
    if (!names.has(session)) names.set(session, `s${names.size}`)
    return { id: `t${at}`, session: names.get(session), date, speaker: who, role, text }
  })
}
