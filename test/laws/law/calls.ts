/** Calls and results stand together. */
import { admittedOf, type Good, pieces } from '../trial.js'
import { type Law, tagsIn } from './read.js'

/** P-05 */
export const paired: Law = (trial) => {
  const out: string[] = []
  const all = pieces(trial)
  if (trial.target === 'google') return googlePairs(all)
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const piece of all) {
    const id = piece.id ?? ''
    if (piece.kind === 'call') {
      if (seen.has(id)) out.push(`two calls have the id ${id}`)
      seen.add(id)
      open.add(id)
    } else if (piece.kind === 'result') {
      if (!open.delete(id)) out.push(`the result ${id} has no call before it`)
    } else if (open.size > 0 && piece.role !== 'assistant') out.push(`${[...open]} is open when ${piece.role} speaks`)
  }
  if (open.size > 0) out.push(`calls without a result: ${[...open]}`)
  if (trial.sound) out.push(...ownResults(trial, all))
  return out
}

function googlePairs(all: ReturnType<typeof pieces>): string[] {
  const out: string[] = []
  const places = [...new Set(all.map((piece) => piece.at))]
  for (const at of places) {
    const calls = all.filter((piece) => piece.at === at && piece.kind === 'call').map((piece) => piece.name)
    const next = all.filter((piece) => piece.at === at + 1)
    const results = next.filter((piece) => piece.kind === 'result').map((piece) => piece.name)
    if (calls.length > 0 && calls.join() !== results.join()) out.push(`calls ${calls} get the results ${results}`)
    const before = all.filter((piece) => piece.at === at - 1 && piece.kind === 'call').length
    const here = all.filter((piece) => piece.at === at && piece.kind === 'result').length
    if (here !== before && here > 0) out.push(`${here} results for ${before} calls`)
  }
  return out
}

/** In a history where nothing was lost each call has the result that is its own. */
function ownResults(trial: Good, all: ReturnType<typeof pieces>): string[] {
  const out: string[] = []
  const excluded = new Set(trial.input.marks?.excluded)
  const admitted = admittedOf(trial)
  // a policy that takes no results has none for a call that someone wants whole
  const isLeft = (message: unknown, i: number): boolean =>
    admitted[i]?.ok === true && !excluded.has((message as { id?: string } | null)?.id ?? '')
  const given = new Set(
    trial.input.messages.filter(isLeft).flatMap((message) => tagsIn(message).map(({ text }) => text)),
  )
  for (const call of all) {
    if (call.kind !== 'call' || !/^call_\d+_\d+_\d+$/.test(call.id ?? '')) continue
    const place = tagsIn(call.text)[0]?.place
    const result = all.find((piece) => piece.kind === 'result' && piece.id === call.id)
    const got = tagsIn(result?.text ?? '').filter(({ kind }) => kind === 'r')
    if (got.some((tag) => tag.place !== place)) out.push(`call ${place} has the result ${got[0]?.place}`)
    if (got.length === 0 && given.has(`⟦r${place}⟧`)) out.push(`the result of call ${place} is lost`)
  }
  return out
}
