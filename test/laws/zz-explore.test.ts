import fc from 'fast-check'
import { test } from 'vitest'
import * as laws from './laws.js'
import { cases, isGood, named, trialsOf } from './trial.js'

const single: Record<string, laws.Law[]> = {
  'P-01': [laws.withinBudget],
  'P-01b': [laws.withinLimits],
  'P-03': [laws.newestUser],
  'P-04': [laws.inOrder],
  'P-05': [laws.paired],
  'P-06': [laws.wellFormedStrings],
  'P-06b': [laws.cleanCuts],
  'P-07': [laws.legal],
  'P-13': [laws.accounted],
  'P-14': [laws.honestMarkers],
  'P-16': [laws.pinned],
  'P-17': [laws.noDuplicates],
  'P-22': [laws.noPrivilege],
  'P-26': [laws.capped],
}
test('explore', () => {
  const n = Number(process.env.N ?? 300)
  let t0 = performance.now()
  const list = fc.sample(cases, { numRuns: n, seed: Number(process.env.SEED ?? 1) })
  console.log(
    'gen',
    (performance.now() - t0) / n,
    'ms; mean messages',
    list.reduce((s, c) => s + c.history.messages.length, 0) / n,
    'max',
    Math.max(...list.map((c) => c.history.messages.length)),
  )
  const counts = new Map<string, { n: number; first: string }>()
  let ok = 0,
    no = 0,
    throws = 0,
    ta = 0,
    tl = 0
  const codes = new Map<string, number>()
  for (const [i, one] of list.entries()) {
    let trials
    t0 = performance.now()
    try {
      trials = trialsOf(one)
    } catch (e) {
      throws++
      if (throws < 4) console.log('THROW', i, (e as Error).stack?.split('\n').slice(0, 6).join('\n'))
      continue
    }
    ta += performance.now() - t0
    t0 = performance.now()
    for (const trial of trials) {
      if (!isGood(trial)) {
        no++
        const c = trial.preset + ' ' + (trial.result as any).error.code
        codes.set(c, (codes.get(c) ?? 0) + 1)
        for (const v of laws.typedRefusal((trial.result as any).error)) console.log('REF', v.slice(0, 300))
        continue
      }
      ok++
      for (const [id, ls] of Object.entries(single))
        for (const law of ls) {
          let found: string[] = []
          try {
            found = law(trial)
          } catch (e) {
            found = ['LAW THROWS ' + (e as Error).stack?.split('\n').slice(0, 4).join(' ')]
          }
          for (const v of found.slice(0, 1)) {
            const key = `${id} ${trial.preset} ${v.replace(/⟦.*?⟧/g, 'T').replace(/\d+/g, '#').slice(0, 70)}`
            const c = counts.get(key) ?? {
              n: 0,
              first: `case ${i} ${named(trial)}: ${v.slice(0, 200)} damage ${one.history.damage} n=${trial.input.messages.length}`,
            }
            c.n++
            counts.set(key, c)
          }
        }
    }
    tl += performance.now() - t0
  }
  console.log({ ok, no, throws, assemble: ta / n, laws: tl / n }, Object.fromEntries(codes))
  for (const [k, v] of [...counts].sort()) console.log(`${v.n}x ${k}\n     ${v.first}`)
})
