// F-16: a server is stopped in the middle of an answer, another takes over, and the first one comes back.
import { setTimeout as pause } from 'node:timers/promises'
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

export async function zombie({ quick, folder, note }) {
  const rounds = quick ? 2 : 30
  const data = await databaseFor('sqlite', folder)
  const model = await startModel()
  const env = { ...model.env }
  const keeper = await startReplica({ db: data.db, env })
  const sleeper = await startReplica({ db: data.db, env })
  const figures = { rounds, missed: 0, takenOver: 0, noEnd: 0, secondEnd: 0, changed: 0, notPrefix: 0, nextRefused: 0 }
  try {
    for (let round = 1; round <= rounds; round++) {
      const name = `z${round}`
      const { id } = await begin(sleeper.url, name, `say ${name} 300 10`)
      const path = `/api/v1/conversations/${name}/runs/${id}`
      await pause(300)
      figures.missed += await freeze(sleeper, keeper)
      const run = await endOf(keeper.url, path)
      if (!run) figures.noEnd++
      else if (run.state === 'interrupted') figures.takenOver++
      const before = framesOf((await read(keeper.url, `${path}/events`)).text)
      const [, answer] = await messagesOf(keeper.url, name)
      sleeper.child.kill('SIGCONT')
      await pause(1_500)
      const after = framesOf(
        (await read(keeper.url, `/api/v1/conversations/${name}/events?after=0`, { signal: AbortSignal.timeout(700) }))
          .text,
      )
      if (after.filter(({ type }) => type === 'run-ended').length !== 1) figures.secondEnd++
      const later = await messagesOf(keeper.url, name)
      const text = answer ? plainText(answer) : ''
      if (later.length !== (answer ? 2 : 1) || (answer && plainText(later[1]) !== text)) figures.changed++
      if (textIn(after) !== text || textIn(before) !== text) figures.changed++
      if (!answerOf(name, 300).startsWith(text)) figures.notPrefix++
      const next = await call(sleeper.url, 'POST', '/chat', { session_id: name, message: `say n${round} 2 0` })
      if (next.status !== 200) figures.nextRefused++
      if (round % 5 === 0) note(`${round} rounds`)
    }
    const { takenOver, noEnd, secondEnd, changed, notPrefix, nextRefused } = figures
    return { ...figures, ok: takenOver === rounds && noEnd + secondEnd + changed + notPrefix + nextRefused === 0 }
  } finally {
    sleeper.child.kill('SIGCONT')
    await Promise.all([keeper.kill('SIGKILL'), sleeper.kill('SIGKILL')])
    model.close()
    await data.close()
  }
}

/** Stops a server, but not while it holds the lock of the file: then nobody could write. Returns how often it did. */
async function freeze(sleeper, keeper) {
  for (let missed = 0; ; missed++) {
    sleeper.child.kill('SIGSTOP')
    const isFree = await Promise.race([
      call(keeper.url, 'POST', '/api/v1/conversations', {}).then(({ status }) => status === 201),
      pause(1_000, false),
    ])
    if (isFree) return missed
    sleeper.child.kill('SIGCONT')
    await pause(20 + missed)
  }
}
