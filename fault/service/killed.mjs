// F-02: a server is killed while it streams, and another ends what it began. F-13: their clocks are wrong, each in its own way.
import { setTimeout as pause } from 'node:timers/promises'
import { between } from '../lib/dice.mjs'
import { skewed } from '../lib/skew.mjs'
import {
  answerOf,
  begin,
  call,
  databaseFor,
  endOf,
  framesOf,
  messagesOf,
  plainText,
  read,
  startModel,
  startReplica,
  textIn,
} from './stage.mjs'

export const killedSkewed = (setting) => killed({ ...setting, isSkewed: true })

export async function killed({ quick, dice, folder, note, isSkewed = false }) {
  const rounds = quick ? 5 : isSkewed ? 30 : 100
  const data = await databaseFor('sqlite', folder)
  const model = await startModel()
  const keeper = await startReplica({ db: data.db, env: { ...model.env, ...skewed(isSkewed, 0) } })
  const figures = { rounds, interrupted: 0, done: 0, notPrefix: 0, lostSeen: 0, noEnd: 0, ends: 0, nextRefused: 0 }
  let slowest = 0
  try {
    for (let round = 1; round <= rounds; round++) {
      const victim = await startReplica({ db: data.db, env: { ...model.env, ...skewed(isSkewed, round) } })
      const name = `r${round}`
      const { id } = await begin(victim.url, name, `say ${name} 400 4`)
      const path = `/api/v1/conversations/${name}/runs/${id}`
      const reading = read(victim.url, `${path}/events`)
      await pause(between(dice, 0, 900))
      await victim.kill('SIGKILL')
      const seen = textIn(framesOf((await reading).text))
      const begun = performance.now()
      const run = await endOf(keeper.url, path)
      slowest = Math.max(slowest, performance.now() - begun)
      if (!run) {
        figures.noEnd++
        continue
      }
      figures[run.state] = (figures[run.state] ?? 0) + 1
      const answer = (await messagesOf(keeper.url, name)).find((message) => message.id === id)
      const stored = answer ? plainText(answer) : ''
      if (!answerOf(name, 400).startsWith(stored)) figures.notPrefix++
      if (!stored.startsWith(seen)) figures.lostSeen++
      const all = framesOf((await read(keeper.url, `${path}/events`)).text)
      if (all.filter(({ type }) => type === 'run-ended').length !== 1 || textIn(all) !== stored) figures.ends++
      const next = await call(keeper.url, 'POST', '/chat', { session_id: name, message: `say next${round} 2 0` })
      if (next.status !== 200 || next.body.response.trim() !== answerOf(`next${round}`, 2).trim()) figures.nextRefused++
      if (round % 10 === 0) note(`${round} kills`)
    }
    const { notPrefix, lostSeen, noEnd, ends, nextRefused } = figures
    const ok = notPrefix + lostSeen + noEnd + ends + nextRefused === 0
    return { ...figures, slowestEndMs: Math.round(slowest), ok }
  } finally {
    await keeper.kill('SIGKILL')
    model.close()
    await data.close()
  }
}
