/** What one agent is put through, and what came of it. */
import { join } from 'node:path'
import { differencesOf } from './differ.mjs'
import { openHouse } from './house.mjs'
import { openProvider } from './provider.mjs'
import { placeFor, turn } from './run.mjs'

const turns = [
  { call: 'echo hello-one; seq 1 20', expect: 'hello-one' },
  { say: 'The first turn is done.' },
  { call: 'echo hello-two', expect: 'hello-two' },
  { say: 'The second turn is done.' },
]

/** Results of about 5 KB; the provider takes so little that a dozen of them fill it. */
const roundCount = 60
const rounds = [
  ...Array.from({ length: roundCount }, (_, i) => ({
    call: `echo begin-${i}; seq 1000 2000; echo end-${i}`,
    expect: `end-${i}`,
  })),
  { say: 'All rounds are done.' },
]

export async function tryAgent(client, { root, cache }) {
  const direct = await twoTurns(client, { root: join(root, 'one'), cache })
  const through = await twoTurns(client, { root: join(root, 'two'), cache, house: true })
  const long = await longTalk(client, {
    root: join(root, 'long'),
    cache,
    least: Math.max(0, ...direct.seen.map(({ tokens }) => tokens ?? 0)),
  })
  return {
    client,
    direct: direct.verdict,
    through: through.verdict,
    recorded: through.recorded,
    differences: differencesOf(direct.seen, through.seen),
    rounds: long,
    cached: `${shareOf(direct.seen)} / ${shareOf(through.seen)}`,
  }
}

async function twoTurns(client, { root, cache, house: isThrough = false }) {
  const provider = openProvider({ steps: turns })
  const url = `http://127.0.0.1:${await provider.listening()}`
  const house = isThrough ? await openHouse({ root: join(root, 'house'), provider: url }) : null
  const place = placeFor(client, { root, url: house?.url ?? url, cache })
  const first = await turn(place, 'first', 'Run the first step.')
  const next = await turn(place, 'next', 'Run the second step.')
  const recorded = house ? await recordedIn(house) : ''
  await house?.close()
  await provider.close()
  const isDone =
    first.code === 0 &&
    next.code === 0 &&
    /second turn is done/.test(next.out) &&
    talk(provider.seen).every(({ blind }) => !blind)
  return { verdict: isDone ? 'works' : `**fails** (${first.code}, ${next.code})`, recorded, seen: provider.seen }
}

async function recordedIn(house) {
  const { out } = await house.cli('list', '--json')
  const { items } = JSON.parse(out)
  const [only] = items
  if (items.length !== 1) return `**${items.length} conversations**`
  return only.title === 'Run the first step.' ? 'yes' : `**titled ${only.title}**`
}

async function longTalk(client, { root, cache, least }) {
  const provider = openProvider({ steps: rounds, limit: least + 15_000 })
  const url = `http://127.0.0.1:${await provider.listening()}`
  const house = await openHouse({ root: join(root, 'house'), provider: url })
  const place = placeFor(client, { root, url: house.url, cache })
  const { code, out } = await turn(place, 'first', 'Run all the rounds.', 400)
  await house.close()
  await provider.close()
  const made = talk(provider.seen)
  const blind = made.filter((one) => one.blind).length
  if (code === 0 && /All rounds are done/.test(out) && blind === 0) return 'works'
  return `**${made.length - 1} rounds, ${blind} blind, exit ${code}**`
}

const talk = (seen) => seen.filter(({ side, status }) => side === false && status === 200)

/** Of the tokens of the talk, in percent. */
function shareOf(seen) {
  const [input, cached] = talk(seen).reduce(
    ([all, read], { usage }) => [all + usage.input, read + usage.cached],
    [0, 0],
  )
  return input === 0 ? '-' : `${Math.round((cached / input) * 100)} %`
}
