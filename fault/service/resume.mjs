// F-11: a reader is cut off at any byte and goes on at the other server.
import { between } from '../lib/dice.mjs'
import { answerOf, begin, databaseFor, framesOf, read, startModel, startReplica, textIn } from './stage.mjs'

export const resume = (kind) =>
  async function resumeTest({ quick, dice, folder, note }) {
    const data = await databaseFor(kind, folder)
    if (data.reason) return { skipped: `no PostgreSQL: ${data.reason}`, ok: true }
    const model = await startModel()
    const replicas = []
    try {
      for (const _ of ['a', 'b']) replicas.push(await startReplica({ db: data.db, env: model.env }))
      const [a, b] = replicas
      const cuts = quick ? 60 : 500
      const live = quick ? 5 : 50
      const figures = { cuts, live, bytes: 0, mismatches: 0, twice: 0, missing: 0, backwards: 0, refused: 0 }
      let slowest = 0

      /** The first part from one server, the rest from the other, against the whole. */
      const check = async (path, whole, offset) => {
        const first = await read(a.url, path, { bytes: offset })
        const seen = framesOf(first.text)
        const begun = performance.now()
        const rest = await read(b.url, path, seen.length > 0 ? { after: seen.at(-1).id } : {})
        slowest = Math.max(slowest, performance.now() - begun)
        if (typeof rest.how === 'number' && rest.how !== 204) figures.refused++
        judge(whole, [...seen, ...framesOf(rest.text)], figures)
      }

      const run = await begin(a.url, 'recorded', 'say recorded 300 1')
      const path = `/api/v1/conversations/recorded/runs/${run.id}/events`
      const recorded = await read(a.url, path)
      const whole = framesOf(recorded.text)
      figures.bytes = recorded.text.length
      const isWhole = textIn(whole) === answerOf('recorded', 300) && whole.at(-1).type === 'run-ended'
      for (let i = 0; i < cuts; i++) {
        // every byte at first, then anywhere
        const offset = i < cuts / 2 ? i + 1 : between(dice, 1, recorded.text.length)
        await check(path, whole, offset)
        if ((i + 1) % 100 === 0) note(`${i + 1} cuts`)
      }
      for (let i = 0; i < live; i++) {
        const name = `live-${i}`
        const { id } = await begin(a.url, name, `say ${name} 60 3`)
        const events = `/api/v1/conversations/${name}/runs/${id}/events`
        const first = await read(a.url, events, { bytes: between(dice, 50, 3_000) })
        const seen = framesOf(first.text)
        const rest = await read(b.url, events, seen.length > 0 ? { after: seen.at(-1).id } : {})
        const full = framesOf((await read(b.url, events)).text)
        if (textIn(full) !== answerOf(name, 60)) figures.missing++
        judge(full, [...seen, ...framesOf(rest.text)], figures)
      }
      const { mismatches, twice, missing, backwards, refused } = figures
      const ok = isWhole && mismatches + twice + missing + backwards + refused === 0
      return { kind, ...figures, isWhole, slowestMs: Math.round(slowest), ok }
    } finally {
      for (const replica of replicas) await replica.kill('SIGKILL')
      model.close()
      await data.close()
    }
  }

function judge(whole, got, figures) {
  const ids = got.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) figures.twice++
  if (ids.some((id, i) => i > 0 && id <= ids[i - 1])) figures.backwards++
  if (got.length < whole.length) figures.missing++
  if (got.map(({ text }) => text).join('\n\n') !== whole.map(({ text }) => text).join('\n\n')) figures.mismatches++
}
